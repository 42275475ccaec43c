package io.arraywire.stream;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketOption;

/**
 * Has the system ask a peer that nothing was heard of whether it is there, and end the connection
 * if it is not: for peers that the protocol asks nothing of, as those in plain mode. With the
 * system's own times that takes two hours.
 */
final class KeepAlive {
  private static final int IDLE_SECONDS = 60;
  private static final int INTERVAL_SECONDS = 15;
  private static final int PROBES = 4;

  private KeepAlive() {}

  /** Sets it, and its times where the JDK has them. */
  static void set(Socket socket) throws IOException {
    socket.setKeepAlive(true);
    for (SocketOption<?> option : socket.supportedOptions()) {
      // By name: the module jdk.net, which has them, need not be there.
      switch (option.name()) {
        case "TCP_KEEPIDLE" -> set(socket, option, IDLE_SECONDS);
        case "TCP_KEEPINTERVAL" -> set(socket, option, INTERVAL_SECONDS);
        case "TCP_KEEPCOUNT" -> set(socket, option, PROBES);
        default -> {}
      }
    }
  }

  @SuppressWarnings("unchecked") // All three are numbers.
  private static void set(Socket socket, SocketOption<?> option, int value) throws IOException {
    socket.setOption((SocketOption<Integer>) option, value);
  }
}
