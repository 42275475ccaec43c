package io.arraywire.security;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may connect to the listeners of a transport, and what each peer may do there; see
 * {@link TransportOptions#authenticator()}.
 *
 * <pre>{@code
 * TransportOptions.builder().authenticator(peer ->
 *     peer.tokenIs(secretOfTrainer)
 *         ? Identity.of("trainer").subscribing("weights/*").channels(1)
 *         : null)
 * }</pre>
 *
 * <p>Called once for each connection, after its TLS handshake, and after the check of {@link
 * TransportOptions#authToken()}, if there is one. Nothing else that the peer sends is looked at
 * before the answer, and the peer learns nothing of this side.
 *
 * <p><b>Threads.</b> Each call has a thread of its own, so it may block, and several run at a time,
 * at most 256 of a transport. Further peers are refused with {@link
 * ErrorCode#TOO_MANY_CONNECTIONS}. A call is interrupted when {@link
 * TransportOptions#connectTimeout()} since the connection was accepted is over, and the connection
 * ends with {@link ErrorCode#HANDSHAKE_TIMEOUT}. <b>Failure.</b> A peer that is refused is told
 * {@link ErrorCode#AUTHENTICATION_FAILED} and no reason. An exception of the authenticator is not a
 * decision, unless it is a {@link ArraywireException#refusal}: the connection then ends with {@link
 * ErrorCode#INTERNAL}. The peer is not told why, and its session continues if it connects again in
 * time. The log of this side has the reason.
 */
@FunctionalInterface
public interface Authenticator {

  /**
   * Says who a peer is and what it may do.
   *
   * @param peer what the peer shows and asks for; of no use after the call
   * @return the peer's name and permissions; null refuses the peer
   * @throws Exception {@link ArraywireException#refusal} refuses the peer, too, and is logged as
   *     one line; anything else says that it could not decide, and is logged with its stack
   */
  @Nullable Identity authenticate(Credentials peer) throws Exception;
}
