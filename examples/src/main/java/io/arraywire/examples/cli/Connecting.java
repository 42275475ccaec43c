package io.arraywire.examples.cli;

import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.Transport;
import java.io.IOException;
import java.time.Duration;

/**
 * Connects to a receiver that may not be up yet: {@code send --wait}.
 *
 * @param to where it will listen
 * @param patience how long to try; zero for once
 */
record Connecting(Address to, Duration patience) {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /**
   * Tries until somebody listens there.
   *
   * @param transport makes the connection
   * @return the connection
   * @throws IOException the last failure, once the time is over; at once for any other than that
   *     nobody listens
   * @throws InterruptedException if the caller is interrupted
   */
  Connection connect(Transport transport) throws IOException, InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = FIRST_PAUSE_MILLIS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS)) {
      try {
        return transport.connect(to.resolve());
      } catch (ConnectFailedException e) {
        long left = (end - System.nanoTime()) / 1_000_000;
        if (left <= 0) {
          throw e;
        }
        Thread.sleep(Math.min(pause, left));
      }
    }
  }
}
