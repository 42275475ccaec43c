package io.arraywire.benchmarks.bench;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetingArrayHandler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Puts all arrays of a connection into one target. */
final class TargetsHandler implements TargetingArrayHandler {
  private final Targets targets;
  private final Map<Connection, ArraySlice> slices = new ConcurrentHashMap<>();

  TargetsHandler(Targets targets) {
    this.targets = targets;
  }

  @Override
  public ArraySlice target(Connection connection, ArrayHeader header) {
    return slices.computeIfAbsent(connection, first -> ArraySlice.of(targets.next()));
  }

  @Override
  public void onArray(Connection connection, ReceivedArray array) {
    targets.arrived();
  }
}
