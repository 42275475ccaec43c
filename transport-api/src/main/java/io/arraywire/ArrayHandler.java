package io.arraywire;

import org.jspecify.annotations.Nullable;

/**
 * Receives the arrays of a connection as they come, instead of {@link ArrayInput}'s methods.
 *
 * <p><b>Threads.</b> Called on the executor of {@link TransportOptions#handlerExecutor()}. Without
 * one a nonblocking transport may call a handler on an event loop's thread, if its calls have been
 * short, some microseconds each. The handler may block all the same: then another thread becomes
 * that of the loop, within some milliseconds. The calls for one {@linkplain Channel channel} come
 * one at a time, in order; those for different channels at the same time. A handler may take its
 * time: it slows its own sender and nobody else. A handler that waits for the far side, in {@code
 * send} with {@link Delivery#PROCESSED} or for a reply, takes nothing else meanwhile. If the far
 * side's handler waits for it in turn, neither goes on. Use {@code sendAsync}, another channel or a
 * thread of your own there.
 *
 * <p><b>Errors.</b> A handler that throws rejects that array: its sender's {@link
 * Delivery#PROCESSED} send fails with {@link RemoteRejectedException}, and the connection goes on
 * with the next array. The sender gets the exception's message and a number, so put nothing into
 * the message that the sender must not know. The log of this side has class and stack under that
 * number. {@link ArraywireException#refusal} makes an exception that refuses an array on purpose,
 * without number and stack.
 *
 * @see Handlers#withTargets to have arrays put into memory of your own
 */
@FunctionalInterface
public interface ArrayHandler {

  /**
   * Takes an array.
   *
   * @param connection where it came from; a reply may be sent on it
   * @param array the array, which belongs to the handler
   * @throws Exception to reject the array
   */
  void onArray(Connection connection, ReceivedArray array) throws Exception;

  /**
   * Called once, after the last array, when the connection has ended. Also called for a peer whose
   * handshake failed; the cause says why.
   *
   * @param connection the connection
   * @param cause why it failed, or null after an orderly end
   */
  default void onClosed(Connection connection, @Nullable ArraywireException cause) {}
}
