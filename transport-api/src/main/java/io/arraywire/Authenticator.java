package io.arraywire;

import io.arraywire.spi.Credentials;
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
 * <p>Asked once for each connection, after its TLS handshake, and after {@link
 * TransportOptions#authToken()} was checked, if there is one. Nothing else that the peer sends is
 * read before the answer, and the peer learns nothing of this side.
 *
 * <p><b>Threads.</b> Each call has a thread of its own, so it may block, and several run at a time,
 * at most 256 of a transport; further peers are refused with {@link
 * ErrorCode#TOO_MANY_CONNECTIONS}. A call that is not over within {@link
 * TransportOptions#connectTimeout()} is interrupted, and the connection ends with {@link
 * ErrorCode#HANDSHAKE_TIMEOUT}. <b>Failure.</b> What it throws refuses the peer. The peer is told
 * {@link ErrorCode#AUTHENTICATION_FAILED} and no reason; the log of this side has the reason.
 */
@FunctionalInterface
public interface Authenticator {

  /**
   * Says who a peer is and what it may do.
   *
   * @param peer what the peer shows and asks for; of no use after the call
   * @return the peer's name and permissions; null refuses the peer
   * @throws Exception refuses the peer, too; {@link ArraywireException#refusal} is logged as one
   *     line, anything else with its stack
   */
  @Nullable Identity authenticate(Credentials peer) throws Exception;
}
