package io.arraywire.engine;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The credit of a peer whose identity has a rate: besides the room that there is here, it grows no
 * faster than time passes. A peer that sends nothing saves up one window. Guarded by the
 * connection's lock.
 */
final class RatedCredit extends ConnectionCredit {
  private static final double SECOND = 1e9;

  private final double bytesPerNano;
  private final ReentrantLock lock;
  private final LongSupplier clock;
  private final Deadlines deadlines;

  /** What the peer may have sent since the beginning, as far as its rate goes. */
  private double allowed;

  private long then;
  private boolean waits;
  private boolean ended;
  private Runnable cancel = () -> {};

  /**
   * Credit of one window at once.
   *
   * @param clock nanoseconds that only grow
   */
  RatedCredit(
      long window,
      long bytesPerSecond,
      ReentrantLock lock,
      LongSupplier clock,
      Deadlines deadlines) {
    super(window);
    bytesPerNano = bytesPerSecond / SECOND;
    this.lock = lock;
    this.clock = clock;
    this.deadlines = deadlines;
    allowed = window;
    then = clock.getAsLong();
  }

  @Override
  long target() {
    long now = clock.getAsLong();
    allowed = Math.min(received() + (double) window(), allowed + (now - then) * bytesPerNano);
    then = now;
    return Math.min(super.target(), (long) allowed);
  }

  /** In each second there are a few. */
  @Override
  long leastGrant() {
    return window() / 4;
  }

  /** Comes again when there is half a window more; nobody else may, since the peer waits. */
  @Override
  void settled(Credit ofChannel) {
    if (ended || waits || super.target() <= (long) allowed) {
      return;
    }
    waits = true;
    long nanos = (long) (window() / 2.0 / bytesPerNano) + 1;
    cancel =
        deadlines.after(
            Duration.ofNanos(nanos),
            () -> {
              lock.lock();
              try {
                waits = false;
                if (!ended) {
                  ofChannel.settle();
                }
              } finally {
                lock.unlock();
              }
            });
  }

  @Override
  void end(Object connection) {
    ended = true;
    cancel.run();
    super.end(connection);
  }
}
