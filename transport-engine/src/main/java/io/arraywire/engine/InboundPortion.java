package io.arraywire.engine;

/**
 * Counts the frames of one portion of the incoming bytes. There may be thousands of small ones in
 * it, and the thread that reads has other connections, too. So {@link FramedEnd} looks at the clock
 * now and then. The reading thread's alone.
 */
abstract class InboundPortion {
  /** So many frames are taken in a row, without a look at the clock. */
  static final int FRAMES_IN_A_ROW = 64;

  /** A block takes as long as so many small frames, since it is decoded. */
  static final int FRAMES_OF_A_BLOCK = 8;

  private static final byte NONE_BEGAN = -1;

  /** How many frames may still begin; {@link #NONE_BEGAN} once one should have and did not. */
  private byte framesLeft;

  final void beginPortion() {
    framesLeft = FRAMES_IN_A_ROW;
  }

  /** Whether a frame may begin that takes as long as so many small ones. */
  final boolean mayBegin(int frames) {
    if (framesLeft <= 0) {
      framesLeft = NONE_BEGAN;
      return false;
    }
    framesLeft = (byte) Math.max(0, framesLeft - frames);
    return true;
  }

  /** Whether reading has stopped for no other reason than that there were many frames. */
  final boolean hasTakenMany() {
    return framesLeft == NONE_BEGAN;
  }
}
