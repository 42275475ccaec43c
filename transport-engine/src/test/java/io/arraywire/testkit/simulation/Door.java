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

  Door(AcceptLimits limits, Judge judge) {
    this.limits = limits;
    this.judge = judge;
  }

  /** A peer came, and the server has decided about it. */
  void came(EngineConnection peer) {
    boolean full = connections >= limits.connections();
    boolean busy = handshakes >= limits.handshakes();
    if (peer.isRefused()) {
      if (full) {
        judge.met(Occurrence.CONNECTION_TOO_MANY);
      }
      if (busy) {
        judge.met(Occurrence.HANDSHAKE_TOO_MANY);
      }
      if (!full && !busy) {
        judge.violation("a peer was refused for which there was room: " + this);
      }
      return;
    }
    if (full || busy) {
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
