package io.arraywire.testkit.simulation;

import io.arraywire.engine.EngineConnection;
import io.arraywire.security.AcceptLimits;

/**
 * Knows how many peers the server has let in, and says so if it let in one too many or refused one
 * for which there was room.
 */
final class Door {
  private final AcceptLimits limits;
  private final Judge judge;
  private int connections;
  private int handshakes;
  private int refused;

  Door(AcceptLimits limits, Judge judge) {
    this.limits = limits;
    this.judge = judge;
  }

  /** How many peers were refused. */
  int refused() {
    return refused;
  }

  /** A peer came, and the server has decided about it. */
  void came(EngineConnection peer) {
    boolean room = connections < limits.connections() && handshakes < limits.handshakes();
    if (peer.isRefused()) {
      refused++;
      if (room) {
        judge.violation("a peer was refused for which there was room: " + this);
      }
      return;
    }
    if (!room) {
      judge.violation("a peer too many was let in: " + this);
    }
    connections++;
    handshakes++;
    var unused = peer.opened().whenComplete((nothing, thrown) -> handshakes--);
    var unusedToo = peer.ended().whenComplete((nothing, thrown) -> connections--);
  }

  @Override
  public String toString() {
    return connections + " connections, " + handshakes + " handshakes, " + limits;
  }
}
