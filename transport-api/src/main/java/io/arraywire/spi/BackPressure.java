package io.arraywire.spi;

import io.arraywire.TransportOptions;
import java.util.Objects;

/**
 * Why arrays that are to be sent on a channel are held up. Immutable.
 *
 * @param channel the channel's number; -1 for a subscription of the peer
 * @param cause what holds them up
 */
public record BackPressure(int channel, Cause cause) {

  /** Checks its parts. */
  public BackPressure {
    Objects.requireNonNull(cause, "cause");
  }

  /** What holds arrays up. */
  public enum Cause {
    /**
     * {@link TransportOptions#sendQueueBytes()} are queued, or all connections hold {@link
     * TransportOptions#memoryBudgetBytes()}: a send had to wait or was refused. It is over once
     * nobody waits for room and half of the queue is free. If the queue was empty and other
     * connections hold the memory, it is over once the channel's next array has left.
     */
    SEND_QUEUE,
    /**
     * The peer allows no more: its program takes arrays more slowly than they are sent. It is over
     * once something can be sent again.
     */
    CREDIT
  }
}
