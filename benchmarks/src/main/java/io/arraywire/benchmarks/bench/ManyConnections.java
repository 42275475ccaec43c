package io.arraywire.benchmarks.bench;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Connections of this library to one listener.
 *
 * @param transport what they belong to
 * @param connections all of them
 */
record ManyConnections(Transport transport, List<Connection> connections) implements AutoCloseable {
  /**
   * Thousands of idle connections with a heartbeat every few seconds would take CPU time from the
   * contender whose turn it is.
   */
  private static final Duration HEARTBEAT_INTERVAL = Duration.ofMinutes(10);

  /** The options of both ends, for arrays of that many elements. */
  static TransportOptions options(int elements) {
    return ArraywireContender.options(elements).heartbeatInterval(HEARTBEAT_INTERVAL).build();
  }

  static ManyConnections connect(Transport transport, int port, int number)
      throws ArraywireException, InterruptedException {
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      connections.add(transport.connect(Loopback.TCP.numbered(port)));
    }
    return new ManyConnections(transport, List.copyOf(connections));
  }

  @Override
  public void close() {
    transport.close();
  }
}
