package io.arraywire.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a transport is to write next. It has buffers to gather into one write, and perhaps bytes
 * behind them that the channel takes straight from an array. The writing thread's alone.
 */
public interface Output {

  /** Stands for the end: everything is written, and the channel's output is to be shut down. */
  Output END =
      new Output() {
        private static final ByteBuffer[] NOTHING = {};

        @Override
        public ByteBuffer[] buffers() {
          return NOTHING;
        }

        @Override
        public int first() {
          return 0;
        }

        @Override
        public int count() {
          return 0;
        }

        @Override
        public long remaining() {
          return 0;
        }

        @Override
        public String toString() {
          return "the end of the output";
        }
      };

  /**
   * Whether an output is {@link #END}.
   *
   * @param output what {@link WireEnd#output()} gave
   * @return true if the channel's output is to be shut down
   */
  @SuppressWarnings("ReferenceEquality") // It stands for itself.
  static boolean isEnd(@Nullable Output output) {
    return output == END;
  }

  /**
   * The buffers; those from {@link #first()} on, {@link #count()} of them, are to be written. The
   * writer advances their positions, as a channel does, and reports with {@link WireEnd#wrote}.
   *
   * @return the buffers, in an array that is not to be changed
   */
  ByteBuffer[] buffers();

  /**
   * The first buffer that is not yet written whole.
   *
   * @return its index
   */
  int first();

  /**
   * How many buffers the next operation may write; none of them is empty.
   *
   * @return the number, 0 when every buffer is written
   */
  int count();

  /**
   * What is not yet written.
   *
   * @return bytes
   */
  long remaining();

  /**
   * The buffers of the channel are full. It took less than the last operation offered it; or, where
   * writes block, the operation had to wait for room. Called between that operation and {@link
   * WireEnd#wrote}.
   *
   * @param nanosAgo since when, in nanoseconds; 0 for now
   */
  default void full(long nanosAgo) {}

  /**
   * Whether it holds a part of an array or an answer to one, and not heartbeats alone.
   *
   * @return true if something is likely to come of it
   */
  default boolean movesArrays() {
    return true;
  }

  /**
   * Whether its bytes lie where they are to be, in what {@link Link#space} gave. They are in one
   * buffer, whose position the writer advances as if it had written them.
   *
   * @return true if nothing is to be copied
   */
  default boolean isInPlace() {
    return false;
  }

  /**
   * How many bytes follow the buffers that the channel takes straight from an array; see {@link
   * Link#leastArrayBytes()}.
   *
   * @return bytes, 0 if there are none
   */
  default int arrayBytes() {
    return 0;
  }

  /**
   * Writes straight from the array, once every buffer is written and {@link #arrayBytes()} is not
   * 0. To be reported with {@link WireEnd#wrote}.
   *
   * @param io writes
   * @param atMost how many bytes
   * @return what {@code io} returned
   * @throws IOException if {@code io} throws it
   */
  default long writeArray(ArrayIo io, int atMost) throws IOException {
    throw new IllegalStateException("no array follows");
  }

  /**
   * Whether what follows the buffers is direct memory, which one operation can write with them.
   *
   * @return true for {@link #writeGathered} in place of a write of the buffers
   */
  default boolean gathersArray() {
    return false;
  }

  /**
   * Writes every buffer and, behind them, straight from direct memory, in one operation. To be
   * reported with {@link WireEnd#wrote}.
   *
   * @param io writes
   * @param atMost how many bytes of the array
   * @return what {@code io} returned
   * @throws IOException if {@code io} throws it
   */
  default long writeGathered(ArrayIo io, int atMost) throws IOException {
    throw new IllegalStateException("no direct memory follows");
  }
}
