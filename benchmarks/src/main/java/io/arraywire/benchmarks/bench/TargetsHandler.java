package io.arraywire.benchmarks.bench;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Puts all arrays of a connection, which come one after the other on channel 0, into one target.
 */
final class TargetsHandler implements ArrayHandler, TargetHandler {
  private final Targets targets;
  private final Map<Connection, ArraySlice> slices = new ConcurrentHashMap<>();

  TargetsHandler(Targets targets) {
    this.targets = targets;
  }

  @Override
  public ArraySlice target(Connection connection, ArrayHeader header) {
    if (header.channel() != 0) {
      // Arrays of two channels come at the same time, and would be mixed.
      throw new IllegalArgumentException(
          "only channel 0 has a target (channel=" + header.channel() + ")");
    }
    return slices.computeIfAbsent(connection, first -> ArraySlice.of(targets.next()));
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) {
    targets.arrived();
  }
}
