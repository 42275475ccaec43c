package io.arraywire.benchmarks.network;

import java.io.IOException;
import java.time.Duration;

/**
 * A host between the others on which bytes wait for a while.
 *
 * @param host where it runs
 * @param delay how long bytes wait, each way
 */
record Relay(NetworkHost host, Duration delay) {
  /** Room for what waits, and as much outside the heap for the buffers of many connections. */
  static final long HEAP_BYTES = 2L * DelayedBytes.MOST_BYTES;

  /** Where those connect to whose bytes are to wait. */
  String address() {
    return host.address();
  }

  /** Opens a way to a port of another host; answers with the relay's own port. */
  String carry(String address, String port) throws IOException {
    return host.jvm().ask("carry", address, port, delay.toNanos())[0];
  }
}
