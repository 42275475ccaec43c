package io.arraywire.testkit.simulation;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Reply;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Subjects;
import io.arraywire.security.AcceptLimits;
import io.arraywire.security.Identity;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A server, its clients, the network between them, and what all of them have to do with. */
final class World {
  final Scheduler scheduler;
  final Choices choices;
  final Judge judge;
  final SimulatedNetwork network;
  final Host server;
  final List<Host> clients = new ArrayList<>();
  final Subjects subjects;
  final Publisher publisher;
  final List<End> ends = new ArrayList<>();
  final List<EngineConnection> connections = new ArrayList<>();

  /** Held until the end: see {@link SimulatedHandler}. */
  final List<Reply> replies = new ArrayList<>();

  private final @Nullable Handlers serverHandlers;
  private final @Nullable Handlers clientHandlers;
  private final boolean serverAnswers;
  private final boolean clientAnswers;

  /** Looked up in only, never gone through, since its order is no seed's. */
  private final Map<Connection, End> byConnection = new IdentityHashMap<>();

  private final Set<Connection> toldEarly = Collections.newSetFromMap(new IdentityHashMap<>());

  private final Receivers receivers;
  private boolean calm;

  /** Decides which clients are accepted; null where the seed has all of them accepted. */
  private final @Nullable Accounts accounts;

  /** What lies between connections and network; null where that is nothing. */
  private final @Nullable SimulatedTls tls;

  private final Door door;

  private final boolean heartbeats;
  private final boolean limited;

  /** The peer that opened each session. Looked up in only, as above. */
  private final Map<Connection, String> openedBy = new IdentityHashMap<>();

  /** Comes and is refused; null where nobody is. */
  final @Nullable Host stranger;

  /**
   * A world.
   *
   * @param others of what was added later, so that the seeds before stayed what they were
   * @param layers likewise: of TLS and limits
   */
  World(
      Scheduler scheduler,
      Choices choices,
      Choices others,
      Choices layers,
      Trace trace,
      Length length) {
    this.scheduler = scheduler;
    this.choices = choices;
    judge = new Judge(scheduler, trace);
    network = new SimulatedNetwork(scheduler, choices.branch(), judge, trace, this::accept);
    boolean sessions = choices.percent(50);
    heartbeats = choices.percent(60);
    accounts = others.percent(40) ? new Accounts(scheduler, others.branch(), judge) : null;
    tls = layers.percent(35) ? new SimulatedTls(layers.branch(), judge) : null;
    AcceptLimits limits = layers.percent(35) ? few(layers.branch()) : AcceptLimits.none();
    limited = limits.connections() < Integer.MAX_VALUE;
    door = new Door(limits, judge);
    if (tls != null) {
      judge.encrypted(tls.old);
      network.tampersWith(layers.branch());
    }
    Host.Terms terms =
        new Host.Terms(sessions, heartbeats, accounts, tls == null ? null : tls.option(), limits);
    server = new Host(Host.SERVER, scheduler, choices.branch(), judge, terms);
    int number = choices.between(1, length == Length.LONG ? 3 : 2);
    for (int i = 0; i < number; i++) {
      clients.add(
          new Host(
              "client" + i,
              scheduler,
              choices.branch(),
              judge,
              terms.withSessions(sessions && choices.percent(90))));
    }
    stranger =
        accounts == null
            ? null
            : new Host(
                Accounts.STRANGER,
                scheduler,
                others.branch(),
                judge,
                layers.percent(50) ? terms : terms.inClear());
    subjects = new Subjects(server.engine);
    publisher = new Publisher(subjects, judge);
    SimulatedHandler ofServer = new SimulatedHandler(this, choices.branch());
    SimulatedHandler ofClients = new SimulatedHandler(this, choices.branch());
    serverHandlers = choices.percent(75) ? ofServer.handlers() : null;
    clientHandlers = choices.percent(50) ? ofClients.handlers() : null;
    serverAnswers = serverHandlers != null && ofServer.answers();
    clientAnswers = clientHandlers != null && ofClients.answers();
    receivers = new Receivers(this, choices.branch());
  }

  private static AcceptLimits few(Choices choices) {
    return AcceptLimits.none()
        .connections(choices.of(1, 2, 3))
        .handshakes(choices.of(1, 2, 3))
        .sessions(choices.of(1, 2, 10));
  }

  /** Whether hosts send heartbeats, and so find out what is broken. */
  boolean hasHeartbeats() {
    return heartbeats;
  }

  /** Whether the server permits a client a subject. */
  boolean maySubscribe(Host client, String subject) {
    return accounts == null || accounts.maySubscribe(client.name, subject);
  }

  /** Whether the other side of an end answers requests. */
  boolean isAnswered(End end) {
    return end.host.equals(server) ? clientAnswers : serverAnswers;
  }

  void connect(Host client) {
    try {
      Connection connection =
          client.engine.connect(
              (unstarted, most) ->
                  network.dial(
                      client,
                      clientHandlers,
                      started -> {
                        connections.add(started);
                        unstarted.accept(started);
                      },
                      most),
              clientHandlers);
      if (client.equals(stranger)) {
        judge.violation("a stranger was let in: " + connection.describe());
      }
      End unused = end(connection, client, clientHandlers != null);
    } catch (ArraywireException e) {
      judge.told(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept(Wire wire) {
    EngineConnection connection =
        server.engine.accepted(
            wire.accepting,
            serverHandlers,
            subjects::publishOver,
            (peer, notOpened) -> {
              if (notOpened == null) {
                opened(wire, peer);
              }
            });
    connections.add(connection);
    door.came(connection);
    wire.accepting.start(connection.wire());
  }

  private void opened(Wire wire, EngineConnection connection) {
    String peer = wire.connecting.localAddress().toString();
    if (accounts != null) {
      Identity identity = connection.userConnection().agreement().identity();
      accounts.letIn(peer, identity);
      peer += ", as " + (identity == null ? "nobody" : identity.name());
    }
    if (connection.isResumed()) {
      resumed(connection.userConnection(), peer);
    } else {
      openedBy.put(connection.userConnection(), peer);
      End unused = end(connection.userConnection(), server, serverHandlers != null);
    }
  }

  /** A session goes on for the peer that opened it, and for nobody else. */
  private void resumed(Connection session, String peer) {
    judge.met(Occurrence.SESSION_RESUMED);
    if (accounts != null) {
      judge.met(Occurrence.SESSION_RESUMED_BY_NAME);
    }
    if (tls != null) {
      judge.met(Occurrence.SESSION_RESUMED_OVER_TLS);
    }
    if (limited) {
      judge.met(Occurrence.SESSION_RESUMED_WITHIN_LIMITS);
    }
    String opener = openedBy.getOrDefault(session, peer);
    if (!opener.equals(peer)) {
      judge.violation("the session of " + opener + " goes on for " + peer);
    }
  }

  /** The end that a handler was given. */
  End end(Connection connection) {
    boolean accepted = connection.localAddress().toString().endsWith("server");
    if (accepted) {
      return end(connection, server, true);
    }
    for (Host client : clients) {
      if (connection.localAddress().toString().endsWith(client.name)) {
        return end(connection, client, true);
      }
    }
    throw new IllegalStateException("a connection of nobody: " + connection.localAddress());
  }

  private End end(Connection connection, Host host, boolean hasHandler) {
    End known = byConnection.get(connection);
    if (known != null) {
      return known;
    }
    End end = new End(ends.size() + 1, host, connection, hasHandler);
    byConnection.put(connection, end);
    // It may have ended before its user got to see it.
    end.toldClosed = toldEarly.contains(connection);
    ends.add(end);
    if (!hasHandler) {
      receivers.begin(end);
    }
    return end;
  }

  void closed(Connection connection, @Nullable ArraywireException cause) {
    // A peer whose handshake failed is told of, too, and nobody ever met it.
    End end = byConnection.get(connection);
    if (end != null) {
      judge.closed(end, cause);
    } else {
      toldEarly.add(connection);
    }
  }

  /** Whether nothing goes wrong any more, and handlers are quick. */
  boolean isCalm() {
    return calm;
  }

  void calm() {
    calm = true;
    network.calm();
    if (accounts != null) {
      accounts.calm();
    }
  }
}
