package io.arraywire.testkit.simulation;

import io.arraywire.ArraywireException;
import io.arraywire.engine.EngineConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** How it all ends: users wait for what they have begun, and close. */
final class Ending {
  /** Longer than a session takes to go on, and a peer that is gone to be missed. */
  private static final long CALM_NANOS = 8_000_000_000L;

  private static final long PATIENCE_NANOS = 6_000_000_000L;

  /** A short script looks so often whether there is anything left to wait for. */
  private static final long LOOK_NANOS = 160_000_000L;

  private final World world;
  private final Choices choices;
  private final Length length;

  Ending(World world, Choices choices, Length length) {
    this.world = world;
    this.choices = choices;
    this.length = length;
  }

  void begin() {
    world.calm();
    waitFor(
        CALM_NANOS,
        this::isQuiet,
        "all is quiet",
        () -> {
          checkProgress();
          checkClosed();
          closeAll();
        });
  }

  /** Goes on after a time, and in a short script as soon as more time would change nothing. */
  private void waitFor(long most, BooleanSupplier isOver, String what, Runnable then) {
    boolean looks = length == Length.SHORT && most > LOOK_NANOS;
    Runnable unused =
        world.scheduler.after(
            looks ? LOOK_NANOS : most,
            looks ? "looks" : what,
            () -> {
              if (looks && !isOver.getAsBoolean()) {
                waitFor(most - LOOK_NANOS, isOver, what, then);
              } else {
                then.run();
              }
            });
  }

  /**
   * Whether nothing is left to wait for: each send has its outcome, broken connections were noticed
   * where heartbeats do that, and sessions are connected, or over if they were closed.
   */
  private boolean isQuiet() {
    for (Sent sent : world.judge.sends()) {
      if (sent.outcome == null) {
        return false;
      }
    }
    for (Wire wire : world.network.wires()) {
      if (world.hasHeartbeats() && wire.hurt && !wire.isOver()) {
        return false;
      }
    }
    for (End end : world.ends) {
      String said = end.session ? end.connection.describe() : "";
      if (said.startsWith(end.closing ? "session connect" : "session connecting")) {
        return false;
      }
    }
    return true;
  }

  /** With nothing in the way, whatever was begun long ago must be done. */
  private void checkProgress() {
    for (Sent sent : world.judge.sends()) {
      End from = sent.from;
      End to = from.peer;
      boolean well =
          from.connection.isOpen() && to != null && to.connection.isOpen() && isWell(from);
      if (!well) {
        continue;
      }
      if (sent.outcome == null) {
        world.judge.violation(
            sent
                + " has no outcome, though nothing is in its way"
                + System.lineSeparator()
                + "    from: "
                + from.connection.describe()
                + System.lineSeparator()
                + "    to: "
                + to.connection.describe());
      }
    }
  }

  /**
   * A closed session is neither connected nor connecting long after. One that a handler closed
   * waits for its peer's goodbye; where nothing gets through any more, heartbeats end that.
   */
  private void checkClosed() {
    for (End end : world.ends) {
      boolean over = end.closing && !(end.closedByHandler && !isWell(end));
      String said = over ? end.connection.describe() : "";
      if (said.startsWith("session connect")) {
        world.judge.violation(end + " was closed long ago, and goes on: " + said);
      }
    }
  }

  private boolean isWell(End end) {
    for (Wire wire : world.network.wires()) {
      boolean same =
          end.connection.localAddress().equals(wire.connecting.localAddress())
              || end.connection.remoteAddress().equals(wire.connecting.localAddress());
      if (same && wire.hurt && !wire.isOver()) {
        return false;
      }
    }
    return true;
  }

  private void closeAll() {
    if (choices.percent(50)) {
      world.subjects.close();
    }
    for (End end : new ArrayList<>(world.ends)) {
      if (!end.closing && choices.percent(60)) {
        Runnable unused =
            world.scheduler.after(
                choices.around(10_000_000L), "ends", () -> end(world, choices, end));
      }
    }
    waitFor(PATIENCE_NANOS, this::isClosed, "enough", this::closeNow);
  }

  /** Whether nobody is closing any more. */
  private boolean isClosed() {
    for (End end : world.ends) {
      if (end.closing && !end.closed) {
        return false;
      }
    }
    return true;
  }

  private void closeNow() {
    world.subjects.close();
    for (End end : world.ends) {
      end.closing = true;
      end.connection.closeNow();
    }
    List<EngineConnection> unopened = EngineConnection.closeUnopened(world.connections);
    var unused = unopened.size();
  }

  /** A user ends a connection, in one way or the other. */
  static void end(World world, Choices choices, End end) {
    if (choices.percent(30)) {
      world.judge.met(Occurrence.CLOSED_NOW);
      end.closing = true;
      end.connection.closeNow();
      end.closed = true;
    } else {
      world.judge.met(Occurrence.CLOSED);
      close(world, end);
    }
  }

  static void close(World world, End end) {
    end.closing = true;
    try {
      end.connection.close();
    } catch (ArraywireException e) {
      // Said of what was lost; the judge knows what.
      world.judge.told(e);
    } finally {
      end.closed = true;
    }
  }

  /** What must hold when nothing more happens. */
  void conclude() {
    for (EngineConnection connection : world.connections) {
      if (!connection.ended().toCompletableFuture().isDone()) {
        world.judge.violation(
            "a connection has not ended: " + connection.userConnection().describe());
      }
    }
    checkMemory(world.server);
    String counted = BudgetProbe.counted(world.server.engine);
    if (!counted.isEmpty()) {
      world.judge.violation("peers are counted that are gone: " + counted);
    }
    world.clients.forEach(this::checkMemory);
    if (world.stranger != null) {
      checkMemory(world.stranger);
    }
    for (End end : world.ends) {
      if (end.hasHandler && !end.toldClosed) {
        world.judge.violation("the handler of " + end + " was never told of the end");
      }
    }
    world.judge.conclude();
  }

  private void checkMemory(Host host) {
    if (host.pool.acquiredBytes() != 0) {
      world.judge.violation(
          host.name + " has not given memory back: " + host.pool.acquiredBytes() + " bytes");
    }
    long taken = BudgetProbe.taken(host.engine);
    if (taken != 0) {
      world.judge.violation(host.name + " has not given its budget back: " + taken + " bytes");
    }
  }
}
