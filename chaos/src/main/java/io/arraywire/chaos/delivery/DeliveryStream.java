package io.arraywire.chaos.delivery;

/**
 * A sequence of arrays with an order of its own: a channel of a session of a sender. A session
 * lasts as long as the library keeps order; where nothing outlives a connection, a new connection
 * is a new session.
 *
 * @param sender the sender's number, which the test gives
 * @param session counts the sender's sessions
 * @param channel the channel's number
 */
public record DeliveryStream(int sender, int session, int channel) {
  @Override
  public String toString() {
    return "sender=" + sender + ", session=" + session + ", channel=" + channel;
  }
}
