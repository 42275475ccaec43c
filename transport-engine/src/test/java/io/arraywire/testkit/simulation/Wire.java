package io.arraywire.testkit.simulation;

import io.arraywire.memory.MemoryAddress;

/** One simulated connection: two directions and two ends. */
final class Wire {
  final SimulatedPipe there;
  final SimulatedPipe back;
  final SimulatedLink connecting;
  final SimulatedLink accepting;

  /** Whether anything was done to it that a connection need not survive. */
  boolean hurt;

  Wire(Scheduler scheduler, Choices choices, MemoryAddress client, MemoryAddress server) {
    long latency = choices.of(1_000L, 50_000L, 1_000_000L, 20_000_000L);
    int capacity = choices.of(64, 1000, 8 << 10, 64 << 10, 64 << 10);
    there = new SimulatedPipe(scheduler, choices.branch(), capacity, latency);
    back = new SimulatedPipe(scheduler, choices.branch(), capacity, latency);
    SimulatedPipe.join(there, back);
    connecting = new SimulatedLink(scheduler, choices.branch(), back, there, client, server);
    accepting = new SimulatedLink(scheduler, choices.branch(), there, back, server, client);
  }

  /** From now on it is quick. */
  void hurry() {
    there.hurry();
    back.hurry();
    connecting.hurry();
    accepting.hurry();
  }

  boolean isOver() {
    return connecting.isClosed() && accepting.isClosed();
  }

  /** Both ends find out. */
  void cut() {
    hurt = true;
    there.cut();
    back.cut();
  }

  /** Only one end finds out; the other one hears nothing any more. */
  void halfOpen(boolean clientKnows) {
    hurt = true;
    if (clientKnows) {
      there.silence();
      back.cut();
    } else {
      back.silence();
      there.cut();
    }
  }

  /** Neither end finds out. */
  void silence() {
    hurt = true;
    there.silence();
    back.silence();
  }
}
