package io.arraywire.testkit.simulation;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Handlers;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Role;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The network between one server and its clients, and what goes wrong there. */
final class SimulatedNetwork {
  private final Scheduler scheduler;
  private final Choices choices;
  private final Judge judge;
  private final Trace trace;
  private final Consumer<Wire> door;
  private final List<Wire> wires = new ArrayList<>();
  private long partedUntil;
  private boolean calm;

  /** How somebody between the hosts changes what they say; null where nobody does. */
  private @Nullable Choices tampering;

  /**
   * A network.
   *
   * @param door takes the accepting end of each connection
   */
  SimulatedNetwork(
      Scheduler scheduler, Choices choices, Judge judge, Trace trace, Consumer<Wire> door) {
    this.scheduler = scheduler;
    this.choices = choices;
    this.judge = judge;
    this.trace = trace;
    this.door = door;
  }

  /** Somebody between the hosts changes what they say: for hosts that notice, as TLS does. */
  void tampersWith(Choices from) {
    tampering = from;
  }

  private void tamper(Choices from) {
    judge.tamperedWith();
    Wire wire = wires.get(from.below(wires.size()));
    wire.hurt = true;
    SimulatedPipe pipe = from.percent(50) ? wire.there : wire.back;
    if (from.percent(50)) {
      trace.note(scheduler.now(), "a bit is another", 0);
      judge.met(Occurrence.TLS_BIT_FLIPPED);
      pipe.flipOneBit(from);
    } else {
      trace.note(scheduler.now(), "ends beneath TLS", 0);
      judge.met(Occurrence.TLS_CUT_SHORT);
      pipe.truncate();
    }
  }

  /** What a dialer does. */
  EngineConnection dial(
      Host client, @Nullable Handlers handlers, Consumer<EngineConnection> unstarted, Duration most)
      throws ArraywireException, InterruptedException {
    scheduler.sleep(choices.around(choices.of(10_000L, 1_000_000L)));
    if (scheduler.now() < partedUntil) {
      judge.met(Occurrence.CONNECT_WHILE_PARTED);
      scheduler.sleep(Math.min(most.toNanos(), partedUntil - scheduler.now()));
      throw new ConnectFailedException("cannot connect: the network is parted");
    }
    if (!calm && choices.percent(5)) {
      judge.met(Occurrence.NOBODY_LISTENS);
      throw new ConnectFailedException("cannot connect: nobody listens at the address");
    }
    Wire wire =
        new Wire(
            scheduler, choices.branch(), MemoryAddress.of(client.name), MemoryAddress.of("server"));
    wires.removeIf(Wire::isOver);
    wires.add(wire);
    if (calm) {
      wire.hurry();
    }
    EngineConnection connection =
        client.engine.connection(Role.CONNECTOR, wire.connecting, handlers);
    unstarted.accept(connection);
    Runnable unused = scheduler.after(choices.around(100_000L), "accepts", () -> door.accept(wire));
    wire.connecting.start(connection.wire());
    connection.awaitOpened();
    return connection;
  }

  /** Something goes wrong, or slowly. */
  void misbehave() {
    wires.removeIf(Wire::isOver);
    if (calm || wires.isEmpty()) {
      return;
    }
    if (tampering != null && tampering.percent(40)) {
      tamper(tampering);
      return;
    }
    Wire wire = wires.get(choices.below(wires.size()));
    switch (choices.below(8)) {
      case 0, 1 -> {
        trace.note(scheduler.now(), "cuts", 0);
        judge.met(Occurrence.CUT);
        wire.cut();
      }
      case 2 -> {
        boolean clientKnows = choices.percent(50);
        trace.note(scheduler.now(), "half open", clientKnows ? 1 : 2);
        judge.met(Occurrence.HALF_OPEN);
        wire.halfOpen(clientKnows);
      }
      case 3 -> {
        trace.note(scheduler.now(), "silence", 0);
        judge.met(Occurrence.SILENCE);
        wire.silence();
      }
      case 4 -> {
        trace.note(scheduler.now(), "parts", 0);
        judge.met(Occurrence.PARTITION);
        partedUntil = scheduler.now() + choices.around(choices.of(50_000_000L, 1_000_000_000L));
        wires.forEach(Wire::silence);
      }
      default -> {
        judge.met(Occurrence.SLOW_READER);
        SimulatedLink link = choices.percent(50) ? wire.connecting : wire.accepting;
        link.stallReading(choices.below(choices.of(1_000_000L, 100_000_000L, 2_000_000_000L)));
      }
    }
  }

  /** From now on nothing more goes wrong; what is broken stays so. */
  void calm() {
    calm = true;
    partedUntil = 0;
    wires.forEach(Wire::hurry);
  }

  List<Wire> wires() {
    return wires;
  }
}
