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
    Pauses pauses = new Pauses(patience);
    while (true) {
      try {
        return transport.connect(to.resolve());
      } catch (ConnectFailedException e) {
        if (!pauses.pause()) {
          throw e;
        }
      }
    }
  }
}
