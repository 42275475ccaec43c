package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.security.Identity;
import io.arraywire.wire.SessionOffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the handshakes of a session say of it: its name, its tokens, and how long both sides keep
 * it. Any thread; its monitor is taken last.
 */
final class SessionIdentity {
  private static final int BYTES = 16;
  private static final byte[] NONE = {};

  /** So many welcomes may be in flight; the tokens of those before are no longer good. */
  private static final int MOST_SUCCESSORS = 4;

  private final EngineRuntime runtime;

  /** The name of the peer that opened the session here; null if that is not known. */
  private final @Nullable String owner;

  @GuardedBy("this")
  private byte[] id;

  @GuardedBy("this")
  private Duration timeout;

  /** What the next hello must show: this, or one of its successors. */
  @GuardedBy("this")
  private byte[] token = NONE;

  /**
   * What welcomes have given since, the oldest first. A hello may come late, behind the one that
   * its sender has sent after it. So it is not known which welcome the peer has read.
   */
  @GuardedBy("this")
  private final List<byte[]> successors = new ArrayList<>(1);

  private SessionIdentity(
      EngineRuntime runtime, byte[] id, Duration timeout, @Nullable String owner) {
    this.runtime = runtime;
    this.owner = owner;
    this.id = id;
    this.timeout = timeout;
  }

  /** Of a session that its listener is still to name. */
  static SessionIdentity unnamed(EngineRuntime runtime, Duration timeout) {
    return new SessionIdentity(runtime, NONE, timeout, null);
  }

  /** Of a session that is opened here, for the shorter of both sides' times. */
  static SessionIdentity opened(
      EngineRuntime runtime, Duration here, long peerMillis, @Nullable Identity peer) {
    return new SessionIdentity(
        runtime, secret(runtime), shorter(here, peerMillis), peer == null ? null : peer.name());
  }

  private static byte[] secret(EngineRuntime runtime) {
    byte[] secret = new byte[BYTES];
    runtime.fillSecret(secret);
    return secret;
  }

  private static Duration shorter(Duration here, long peerMillis) {
    return here.toMillis() <= peerMillis ? here : Duration.ofMillis(peerMillis);
  }

  synchronized byte[] id() {
    return id.clone();
  }

  /** Whether a listener has opened the session. */
  synchronized boolean isNamed() {
    return id.length > 0;
  }

  synchronized Duration timeout() {
    return timeout;
  }

  /** What the connecting side's hello says. */
  synchronized SessionOffer hello() {
    return new SessionOffer(timeout.toMillis(), id, token);
  }

  /** What the accepting side's welcome says, with a token that was never used. */
  synchronized SessionOffer welcome() {
    byte[] fresh = secret(runtime);
    if (successors.size() == MOST_SUCCESSORS) {
      successors.remove(0);
    }
    successors.add(fresh);
    return new SessionOffer(timeout.toMillis(), id, fresh);
  }

  /** The listener has opened the session, or goes on with it. */
  synchronized void welcomed(SessionOffer offer) {
    id = offer.id();
    token = offer.token();
    timeout = shorter(timeout, offer.millis());
  }

  /** Why a session that is not kept is not resumed, and what each refused peer is told. */
  static ConnectionLostException notKnown() {
    return new ConnectionLostException(
        ErrorCode.RESUME_REJECTED,
        "the session is not known here; this side was restarted, or kept it no longer");
  }

  /**
   * A peer may not go on with a session. It gets the answer for a session that does not exist. So a
   * peer that has seen the name of a session learns neither whether it is still kept nor what was
   * wrong. This side's log has the reason.
   */
  static ConnectionLostException refused(String why, Object... facts) {
    ConnectionLostException refused =
        new ConnectionLostException(ErrorCode.RESUME_REJECTED, why, facts);
    refused.telling(notKnown());
    return refused;
  }

  /** Checks that a peer that wants to go on is the one that has opened the session. */
  void checkPeer(@Nullable Identity peer) throws ConnectionLostException {
    String name = peer == null ? null : peer.name();
    if (!Objects.equals(owner, name)) {
      throw refused(
          "a session is resumed by another peer than the one that has opened it",
          "openedBy",
          owner == null ? "none" : owner,
          "peer",
          name == null ? "none" : name);
    }
  }

  /**
   * Checks, in constant time, that a peer that wants to go on may. A token is good until a
   * successor was used: the welcome that brought that may have been lost.
   */
  synchronized void checkToken(byte[] shown) throws ConnectionLostException {
    boolean same = token.length > 0 && MessageDigest.isEqual(token, shown);
    if (!succeeds(shown) && !same) {
      throw refused("the session's token is wrong or was used");
    }
  }

  /** The peer has read the welcome with this token: the tokens before it are no longer good. */
  synchronized void confirmed(byte[] shown) {
    var unused = succeeds(shown);
  }

  /** Goes on to a token if it is a successor; says so. Looks at all of them, in constant time. */
  @GuardedBy("this")
  private boolean succeeds(byte[] shown) {
    int used = 0;
    for (int i = 0; i < successors.size(); i++) {
      used += MessageDigest.isEqual(successors.get(i), shown) ? i + 1 : 0;
    }
    if (used == 0) {
      return false;
    }
    token = successors.get(used - 1);
    successors.subList(0, used).clear();
    return true;
  }
}
