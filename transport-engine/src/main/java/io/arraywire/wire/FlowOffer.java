package io.arraywire.wire;

/**
 * What one side says in the handshake of the traffic that it takes and of the heartbeats that it
 * sends.
 *
 * @param channels the most channels that this side takes, at least 1
 * @param channelCredit bytes that the peer may send on each channel, and for each subscription,
 *     before a CREDIT
 * @param connectionCredit bytes that the peer may send on all of them together before a CREDIT
 * @param heartbeatMillis the longest time in which this side sends nothing; 0 if it promises none
 * @param subscriptions the most subscriptions that this side takes at a time, 0 for none
 */
public record FlowOffer(
    int channels,
    long channelCredit,
    long connectionCredit,
    long heartbeatMillis,
    int subscriptions) {
  /** The least credit that is of use. */
  public static final int LEAST_CREDIT = 4 << 10;
}
