package io.arraywire.nio;

import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Transports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A server that stays up until it is told to end, and whose handler takes its time. */
final class ShutdownProgram {
  private ShutdownProgram() {}

  public static void main(String[] arguments) throws Exception {
    Transport transport = Transports.create(arguments[0], TransportOptions.defaults());
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Listener server =
        transport.listen(
            anyPort,
            (from, array) -> {
              System.out.println("begun");
              awaitLine();
              System.out.println("had " + array.tag());
            })) {
      System.out.println(((InetSocketAddress) server.address()).getPort());
      server.closeOnShutdown().awaitClosed();
    }
  }

  private static void awaitLine() throws IOException {
    while (System.in.read() != '\n') {
      // What is before the end of the line does not matter.
    }
  }
}
