package io.arraywire.stream;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.Pipe;

/**
 * Has the JDK load what it needs to wait for and to close a socket, while there are file
 * descriptors. Its classes for that open some for themselves when they are first used; if there are
 * none then, they fail for as long as the process lives.
 */
final class EarlyTouch {
  private EarlyTouch() {}

  /** Does it once for the process. */
  static void ensure() {
    Once.touch();
  }

  private static final class Once {
    static {
      try {
        Pipe pipe = Pipe.open();
        pipe.source().close();
        pipe.sink().close();
        // Not bound, not connected: options are enough for all of the JDK's network code.
        try (ServerSocket server = new ServerSocket();
            Socket socket = new Socket()) {
          server.setReuseAddress(true);
          socket.setTcpNoDelay(true);
        }
        // These read configuration files.
        Log.touch();
        InetAddress.getLoopbackAddress();
        // Where virtual threads wait. By name, since it can only be used by using it.
        Class.forName("sun.nio.ch.Poller");
      } catch (ClassNotFoundException e) {
        // A JDK without virtual threads.
      } catch (IOException | RuntimeException | Error e) {
        Log.notTouched(e);
      }
    }

    private Once() {}

    static void touch() {}
  }
}
