package io.arraywire.engine;

/**
 * Counts what this side allows its peer to send, on one channel or on all together, in bytes of
 * ARRAY and CHUNK frames. Guarded by the connection's lock.
 *
 * <p>The peer may send as much as there is room for. That is the window, less what is held of
 * arrays that nobody has asked for. The rest of arrays that somebody has asked for comes on top,
 * since they need no room here.
 */
abstract class Credit {
  /** The window of plain mode, where the connection is not read instead. */
  static final long UNLIMITED = Long.MAX_VALUE / 4;

  /** What {@link #window} is where it has no limit. */
  private static final int NO_LIMIT = -1;

  private int window;
  private long granted;
  private long received;
  private long held;
  private long wanted;

  Credit(long window) {
    window(window);
    granted = window;
  }

  final boolean isLimited() {
    return window != NO_LIMIT;
  }

  final boolean allows(long bytes) {
    return received + bytes <= granted;
  }

  final long window() {
    return window == NO_LIMIT ? UNLIMITED : window;
  }

  /** More may come, or less, than so far. What is granted stays so. */
  final void window(long bytes) {
    window = bytes == UNLIMITED ? NO_LIMIT : Math.toIntExact(bytes);
  }

  final long received() {
    return received;
  }

  final long held() {
    return held;
  }

  final long left() {
    return granted - received;
  }

  final void received(long bytes) {
    received += bytes;
  }

  /** What is here of arrays that nobody has asked for changes. */
  final void holds(long more) {
    held += more;
  }

  /** What is still to come of arrays that somebody has asked for changes. */
  final void wants(long more) {
    wanted += more;
  }

  long target() {
    return received + Math.max(0, window() - held) + wanted;
  }

  /** The peer is not told of so little, even if an array waits for it. */
  long leastGrant() {
    return 0;
  }

  /**
   * Whether to tell the peer. It is time when half of the window can be given back. Or when the
   * peer would stop in the middle of an array that is waited for.
   */
  final boolean isDue() {
    long due = target() - granted;
    return due >= window() / 2 || (due > leastGrant() && left() < wanted);
  }

  /** Tells the peer if it may send more, where that is a channel's. */
  void settle() {}

  /** Allows as much as there is room for; returns the total since the beginning. */
  final long grant() {
    granted = Math.max(granted, target());
    return granted;
  }
}
