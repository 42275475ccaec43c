package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.NoRoomException;
import io.arraywire.TimedOutException;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Runs the authenticator of a transport. Each call has a thread of its own, since it may block.
 * Only so many run at a time, since strangers cause them. Any thread.
 */
final class Authentications {
  /** The most calls at a time; a peer more is refused. */
  static final int MOST = 256;

  /** One host alone must not use up what there is for all. */
  static final int MOST_OF_ADDRESS = MOST / 2;

  /** The fact with the reason, which the peer is not told: it may be a stranger who guesses. */
  private static final String REASON = "reason";

  private final EngineRuntime runtime;

  @GuardedBy("this")
  private int running;

  /** Calls of the peers of each address that has any. */
  @GuardedBy("this")
  private final Map<Object, Integer> ofAddresses = new HashMap<>();

  Authentications(EngineRuntime runtime) {
    this.runtime = runtime;
  }

  /**
   * Asks for a verdict on a peer.
   *
   * @param over completes when nobody waits for the verdict any more; then the call is interrupted
   * @param decided run when the verdict is there
   * @return the verdict: the identity, or why there is none
   * @throws NoRoomException if too many peers wait already, in all or of this address
   */
  CompletableFuture<Identity> ask(
      Authenticator authenticator, Credentials peer, CompletableFuture<Void> over, Runnable decided)
      throws NoRoomException {
    Object address = Admission.key(peer.remoteAddress());
    begins(address, peer.remoteAddress());
    CompletableFuture<Identity> verdict = new CompletableFuture<>();
    Runnable interrupt;
    try {
      interrupt =
          runtime.start(
              "arraywire-authenticator",
              () -> {
                try {
                  decide(authenticator, peer, verdict);
                } finally {
                  ends(address);
                  decided.run();
                }
              });
    } catch (OutOfMemoryError e) { // No thread.
      ends(address);
      throw e;
    }
    var unused =
        over.whenComplete((nothing, failure) -> {
          if (!verdict.isDone()) {
            interrupt.run();
          }
        });
    return verdict;
  }

  /** Counts a call. A peer without an address counts among all only. */
  private synchronized void begins(@Nullable Object address, SocketAddress peer)
      throws NoRoomException {
    int ofAddress = address == null ? 0 : ofAddresses.getOrDefault(address, 0);
    if (running == MOST) {
      throw tooMany("too many peers wait for the authenticator", MOST, peer);
    }
    if (ofAddress == MOST_OF_ADDRESS) {
      throw tooMany(
          "too many peers of this address wait for the authenticator", MOST_OF_ADDRESS, peer);
    }
    running++;
    if (address != null) {
      ofAddresses.put(address, ofAddress + 1);
    }
  }

  private synchronized void ends(@Nullable Object address) {
    running--;
    if (address != null) {
      ofAddresses.computeIfPresent(address, (known, calls) -> calls == 1 ? null : calls - 1);
    }
  }

  private static NoRoomException tooMany(String what, int most, SocketAddress peer) {
    return new NoRoomException(
        ErrorCode.TOO_MANY_CONNECTIONS,
        what + "; connect again later",
        "limit",
        most,
        "peer",
        peer);
  }

  private static void decide(
      Authenticator authenticator, Credentials peer, CompletableFuture<Identity> verdict) {
    SocketAddress address = peer.remoteAddress();
    try {
      Identity identity = authenticator.authenticate(peer);
      if (identity == null) {
        verdict.completeExceptionally(refused(address, "it answered null"));
      } else {
        verdict.complete(identity);
      }
    } catch (Throwable e) { // Of a user's code.
      if (e instanceof ArraywireException typed && typed.isRefusal()) {
        verdict.completeExceptionally(refused(address, e).because(e));
      } else {
        verdict.completeExceptionally(undecided(address, e));
        Log.authenticatorFailed(address, e);
      }
    }
  }

  /** No verdict in time. It was not the peer that was slow, so no {@link HandshakeException}. */
  static TimedOutException late(SocketAddress peer, Duration connectTimeout) {
    return new TimedOutException(
        ErrorCode.HANDSHAKE_TIMEOUT,
        "the authenticator did not decide in time; the peer may try again",
        "peer",
        peer,
        "connectTimeout",
        connectTimeout);
  }

  /** No verdict: the peer may come again, and a session is not over by it. */
  private static ArraywireException undecided(SocketAddress peer, Throwable thrown) {
    try {
      return undecided(peer, (Object) thrown).because(thrown);
    } catch (Throwable unspeakable) { // A user's exception whose text throws another.
      return undecided(peer, "without words");
    }
  }

  private static ArraywireException undecided(SocketAddress peer, Object reason) {
    return new ArraywireException(
            ErrorCode.INTERNAL,
            "the authenticator failed and did not decide about the peer",
            REASON,
            reason,
            "peer",
            peer)
        .telling(
            new ArraywireException(
                ErrorCode.INTERNAL, "the listener failed to find out who this peer is; try again"));
  }

  private static ArraywireException refused(SocketAddress peer, Object reason) {
    return new HandshakeException(
            ErrorCode.AUTHENTICATION_FAILED,
            "the authenticator refused the peer",
            REASON,
            reason,
            "peer",
            peer)
        .telling(
            new HandshakeException(
                ErrorCode.AUTHENTICATION_FAILED, "the listener does not accept this peer"));
  }
}
