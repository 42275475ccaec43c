package io.arraywire;

/**
 * One ordered stream of arrays inside a connection. Arrays of one channel come in the order in
 * which they were sent. Those of different channels overtake each other, chunk by chunk. So a small
 * array on one does not wait for a large one on another.
 *
 * <p>Obtained from {@link Connection#channel}. Channels need no opening or closing: an array sent
 * on a channel here comes out of the channel of the same number there. A {@link Connection} is its
 * own channel 0. <b>Back-pressure.</b> Each channel has a queue and a credit of its own. A slow
 * receiver holds up the senders of its own channel. It holds up other channels only once all
 * channels together hold {@link TransportOptions#connectionInboxBytes()} at the receiver.
 * <b>Threads.</b> As for {@link Connection}.
 */
public interface Channel extends TypedOutput, TypedInput {

  /**
   * The channel's number, the same at both ends.
   *
   * @return 0 or more
   */
  int id();

  /**
   * The connection that the channel is a part of.
   *
   * @return the connection
   */
  Connection connection();
}
