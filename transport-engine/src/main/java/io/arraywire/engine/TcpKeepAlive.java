package io.arraywire.engine;

import java.io.IOException;
import java.net.SocketOption;
import java.util.Set;

/**
 * Has the system probe a silent TCP peer, and end the connection if the peer does not answer. For
 * plain mode, which has no heartbeats. With the system's default times a dead peer would be noticed
 * after two hours. Any thread.
 */
public final class TcpKeepAlive {
  private static final int IDLE_SECONDS = 60;
  private static final int INTERVAL_SECONDS = 15;
  private static final int PROBES = 4;

  private TcpKeepAlive() {}

  /** A socket's or channel's method of that name. */
  @FunctionalInterface
  public interface Setter {
    /**
     * Sets an option.
     *
     * @param <T> the type of its value
     * @param option the option
     * @param value its value
     * @throws IOException if the socket is closed
     */
    <T> void setOption(SocketOption<T> option, T value) throws IOException;
  }

  /**
   * Switches probes on where the socket has them, and sets their times where the JDK has these.
   *
   * @param supported the options that the socket has
   * @param socket where to set them
   * @throws IOException if the socket is closed
   */
  public static void set(Set<SocketOption<?>> supported, Setter socket) throws IOException {
    for (SocketOption<?> option : supported) {
      // By name: the module jdk.net, which has the times, need not be there.
      switch (option.name()) {
        case "SO_KEEPALIVE" -> set(socket, option, true);
        case "TCP_KEEPIDLE" -> set(socket, option, IDLE_SECONDS);
        case "TCP_KEEPINTERVAL" -> set(socket, option, INTERVAL_SECONDS);
        case "TCP_KEEPCOUNT" -> set(socket, option, PROBES);
        default -> {}
      }
    }
  }

  @SuppressWarnings("unchecked") // The names say of which type the values are.
  private static <T> void set(Setter socket, SocketOption<?> option, T value) throws IOException {
    socket.setOption((SocketOption<T>) option, value);
  }
}
