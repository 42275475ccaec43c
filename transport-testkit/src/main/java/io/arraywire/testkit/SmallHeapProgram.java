package io.arraywire.testkit;

import io.arraywire.ArraywireException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A listener in a JVM of its own, with a small heap; see {@link UnreadTests}. */
interface SmallHeapProgram {

  /**
   * Does the work.
   *
   * @return the line that the program prints at its end
   */
  String run(Transport transport, Listener listener) throws Exception;

  /** Runs a program over a transport, prints what came of it, and ends this JVM. */
  static void main(String transportName, TransportOptions options, SmallHeapProgram program)
      throws Exception {
    String said;
    try {
      Transport transport = Transports.create(transportName, options);
      said =
          program.run(
              transport,
              transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    } catch (ArraywireException | RuntimeException | Error e) {
      said = "failed: " + e;
    }
    System.out.println(said);
    System.out.flush();
    // Without a goodbye to peers that read nothing.
    Runtime.getRuntime().halt(0);
  }
}
