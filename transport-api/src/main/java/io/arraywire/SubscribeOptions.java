package io.arraywire;

import java.util.Objects;

/**
 * What a subscriber asks of the publisher. Immutable.
 *
 * @param policy what happens to arrays for which there is no room
 * @param queueBytes the most bytes of encoded arrays that wait at the publisher for this
 *     subscriber, more than zero; at most the publisher's {@link
 *     TransportOptions#sendQueueBytes()}. A larger array is queued only while the queue is empty.
 */
public record SubscribeOptions(LagPolicy policy, long queueBytes) {
  private static final SubscribeOptions DEFAULTS =
      new SubscribeOptions(LagPolicy.BLOCK, Long.MAX_VALUE);

  /** Checks its parts. */
  public SubscribeOptions {
    Objects.requireNonNull(policy, "policy");
    if (queueBytes < 1) {
      throw new IllegalArgumentException(
          "queueBytes must be more than zero (queueBytes=" + queueBytes + ")");
    }
  }

  /**
   * {@link LagPolicy#BLOCK}, with as much of a queue as the publisher gives.
   *
   * @return the defaults
   */
  public static SubscribeOptions defaults() {
    return DEFAULTS;
  }

  /**
   * The same with another policy.
   *
   * @param other what happens to arrays for which there is no room
   * @return new options
   */
  public SubscribeOptions policy(LagPolicy other) {
    return new SubscribeOptions(other, queueBytes);
  }

  /**
   * The same with another queue.
   *
   * @param most bytes that wait at the publisher, more than zero
   * @return new options
   */
  public SubscribeOptions queueBytes(long most) {
    return new SubscribeOptions(policy, most);
  }
}
