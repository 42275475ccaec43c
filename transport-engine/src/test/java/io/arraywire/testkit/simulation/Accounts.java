package io.arraywire.testkit.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.security.Authenticator;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import org.jspecify.annotations.Nullable;

/**
 * The server's authenticator: gives each client the name that is its token. It takes its time,
 * sometimes longer than a handshake may last, and sometimes refuses a client that it knows, as one
 * with a stale cache does.
 */
final class Accounts implements Authenticator {
  /** The token of the host that is never accepted. */
  static final String STRANGER = "stranger";

  private final Scheduler scheduler;
  private final Choices choices;
  private final Judge judge;
  private final long usualNanos;
  private final int stale;
  private boolean calm;

  Accounts(Scheduler scheduler, Choices choices, Judge judge) {
    this.scheduler = scheduler;
    this.choices = choices;
    this.judge = judge;
    usualNanos = choices.of(1_000L, 1_000_000L, 50_000_000L);
    stale = choices.of(0, 0, 5);
  }

  @Override
  public @Nullable Identity authenticate(Credentials peer) {
    scheduler.sleep(!calm && choices.percent(2) ? 5_000_000_000L : choices.around(usualNanos));
    String token = new String(peer.token(), UTF_8);
    if (token.equals(STRANGER) || (!calm && choices.percent(stale))) {
      return null;
    }
    // The same for each connection of a peer, as a session needs it.
    return Identity.of(token)
        .subscribing("*")
        .publishing("*")
        .channels(1 + token.length() % 3)
        .maxOpenRequests(1 + token.hashCode() % 2);
  }

  /** A peer was let in: as itself, and by name. */
  void letIn(String address, @Nullable Identity identity) {
    if (identity == null || !address.endsWith(identity.name())) {
      judge.violation("a peer was let in as another (peer=" + address + ", as=" + identity + ")");
    }
  }

  void calm() {
    calm = true;
  }
}
