package io.arraywire.engine;

import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** What the end of a handshake says of the peer, for which its address has to answer. */
enum PeerFault {
  /**
   * It was let in, or something else was in the way: a network that cuts it off, a limit, an
   * authenticator that is down.
   */
  NONE,

  /**
   * It has nothing in common with this side, or refuses it. That may be an older or a newer one of
   * the same kind, which comes again and again. It guesses nothing, but each attempt costs a
   * handshake.
   */
  MISFIT,

  /** It showed that it does not belong here, or nothing at all in time. */
  DENIED;

  /**
   * Judges a handshake that is over.
   *
   * @param failure why the peer was not let in; null if it was
   */
  static PeerFault of(@Nullable Throwable failure) {
    if (ErrorCode.NEGOTIATION_FAILED.isOf(failure) || ErrorCode.UNSUPPORTED_VERSION.isOf(failure)) {
      return MISFIT;
    }
    if (failure instanceof HandshakeException typed) {
      if (typed.facts().containsKey(WireLayer.ALERT)) {
        return MISFIT;
      }
      boolean cutInTls =
          typed.code() == ErrorCode.TLS_FAILED && !(typed.getCause() instanceof SSLException);
      return cutInTls ? NONE : DENIED;
    }
    return failure instanceof ProtocolException && !ErrorCode.TRUNCATED.isOf(failure)
        ? DENIED
        : NONE;
  }
}
