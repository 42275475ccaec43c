package io.arraywire.testkit.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.arraywire.security.Authenticator;
import io.arraywire.security.Credentials;
import io.arraywire.security.Identity;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The server's authenticator: gives each client the name that is its token. It takes its time,
 * sometimes longer than a handshake may last, and sometimes refuses a client that it knows, as one
 * with a stale cache does. From some moment on it may know a client by another name, which must not
 * go on with the sessions of the name before.
 */
final class Accounts implements Authenticator {
  /** The token of the host that is never accepted. */
  static final String STRANGER = "stranger";

  /** Behind the name of a client that is known by another name. */
  private static final String AGAIN = "-again";

  private final Scheduler scheduler;
  private final Choices choices;
  private final Judge judge;
  private final long usualNanos;
  private final int stale;
  private final int renaming;

  /** What some clients may not subscribe to; null where all may everything. */
  private final @Nullable String forbidden;

  /** Looked up in only, never gone through, since its order is no seed's. */
  private final Set<String> renamed = new HashSet<>();

  private boolean calm;

  Accounts(Scheduler scheduler, Choices choices, Judge judge) {
    this.scheduler = scheduler;
    this.choices = choices;
    this.judge = judge;
    usualNanos = choices.of(1_000L, 1_000_000L, 50_000_000L);
    stale = choices.of(0, 0, 5);
    renaming = choices.of(0, 0, 20);
    forbidden = choices.percent(50) ? choices.of(Subscribing.NORTH, Subscribing.SOUTH) : null;
  }

  @Override
  public @Nullable Identity authenticate(Credentials peer) {
    boolean late = !calm && choices.percent(2);
    scheduler.sleep(late ? 5_000_000_000L : choices.around(usualNanos));
    if (late) {
      judge.met(Occurrence.VERDICT_LATE);
    }
    String token = new String(peer.token(), UTF_8);
    if (token.equals(STRANGER)) {
      judge.met(Occurrence.STRANGER_REFUSED);
      return null;
    }
    if (!calm && choices.percent(stale)) {
      judge.met(Occurrence.CLIENT_REFUSED);
      return null;
    }
    if (!calm && choices.percent(renaming) && renamed.add(token)) {
      judge.met(Occurrence.CLIENT_RENAMED);
    }
    String other = Subscribing.NORTH.equals(forbidden) ? Subscribing.SOUTH : Subscribing.NORTH;
    // The same for each connection of a peer, as a session needs it.
    return Identity.of(renamed.contains(token) ? token + AGAIN : token)
        .subscribing(isNarrow(token) ? other : "*")
        .publishing("*")
        .channels(1 + token.length() % 3)
        .maxOpenRequests(1 + token.hashCode() % 2);
  }

  private boolean isNarrow(String client) {
    return forbidden != null && client.hashCode() % 2 == 0;
  }

  /** Whether a client may subscribe to a subject. */
  boolean maySubscribe(String client, String subject) {
    return !isNarrow(client) || !subject.equals(forbidden);
  }

  /** A peer was let in: as itself, and by name. */
  void letIn(String address, @Nullable Identity identity) {
    judge.met(Occurrence.LET_IN_BY_NAME);
    if (identity == null || !(address + AGAIN).contains(identity.name())) {
      judge.violation("a peer was let in as another (peer=" + address + ", as=" + identity + ")");
    }
  }

  void calm() {
    calm = true;
  }
}
