package io.arraywire.spi;

import io.arraywire.ArraywireException;
import io.arraywire.Subscription;
import java.util.Objects;

/**
 * An array that was refused after it had come whole.
 *
 * @param channel the number of its channel; -1 in a {@link Subscription}
 * @param sequence its number on the channel
 * @param byPeer true if it was sent here and the peer refused it; false if it came here and a
 *     handler refused it
 * @param reason why
 */
public record Rejection(int channel, long sequence, boolean byPeer, ArraywireException reason) {

  /** Checks its parts. */
  public Rejection {
    Objects.requireNonNull(reason, "reason");
  }
}
