package io.arraywire.wire;

/**
 * What one side says in the handshake of the traffic that it takes and the signs of life that it
 * gives.
 *
 * @param channels the most channels that this side takes, at least 1
 * @param channelCredit bytes that the peer may send on each before it is given more; 0 if this side
 *     keeps no credit
 * @param connectionCredit bytes that the peer may send on all of them before it is given more
 * @param heartbeatMillis the longest time in which this side sends nothing; 0 if it promises none
 * @param requests whether this side takes requests and replies
 * @param subscriptions whether this side takes subscriptions and what ends them
 */
public record FlowOffer(
    int channels,
    long channelCredit,
    long connectionCredit,
    long heartbeatMillis,
    boolean requests,
    boolean subscriptions) {
  /** What a library says that knows nothing of all this. */
  public static final FlowOffer NONE = new FlowOffer(1, 0, 0, 0);

  /** The least credit that is of use. */
  public static final int LEAST_CREDIT = 4 << 10;

  /**
   * What a library says that knows no requests.
   *
   * @param channels the most channels that this side takes, at least 1
   * @param channelCredit bytes that the peer may send on each before it is given more
   * @param connectionCredit bytes that the peer may send on all of them before it is given more
   * @param heartbeatMillis the longest time in which this side sends nothing
   */
  public FlowOffer(int channels, long channelCredit, long connectionCredit, long heartbeatMillis) {
    this(channels, channelCredit, connectionCredit, heartbeatMillis, false);
  }

  /**
   * What a library says that knows no subscriptions.
   *
   * @param channels the most channels that this side takes, at least 1
   * @param channelCredit bytes that the peer may send on each before it is given more
   * @param connectionCredit bytes that the peer may send on all of them before it is given more
   * @param heartbeatMillis the longest time in which this side sends nothing
   * @param requests whether this side takes requests and replies
   */
  public FlowOffer(
      int channels,
      long channelCredit,
      long connectionCredit,
      long heartbeatMillis,
      boolean requests) {
    this(channels, channelCredit, connectionCredit, heartbeatMillis, requests, false);
  }

  /**
   * Whether this side keeps credit.
   *
   * @return false for an older library
   */
  public boolean hasCredit() {
    return channelCredit > 0;
  }
}
