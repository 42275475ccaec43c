package io.arraywire.stream;

import io.arraywire.engine.SpareDescriptors;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;

/**
 * Has the JDK load what it needs to wait for and to close a socket, while there are file
 * descriptors. Its classes for that open some for themselves when they are first used; if there are
 * none then, they fail for as long as the process lives.
 */
final class EarlyTouch {
  /** More than all that is opened here at the same time. */
  private static final int DESCRIPTORS = 16;

  private static boolean done;

  private EarlyTouch() {}

  /**
   * Does it once for the process.
   *
   * @throws java.io.UncheckedIOException if there are too few descriptors; nothing was touched then
   */
  static synchronized void ensure() {
    if (done) {
      return;
    }
    SpareDescriptors.require(DESCRIPTORS);
    done = true;
    try {
      touch();
    } catch (ClassNotFoundException e) {
      // A JDK without virtual threads.
    } catch (IOException | RuntimeException | Error e) {
      Log.notTouched(e);
    }
  }

  private static void touch() throws IOException, ClassNotFoundException {
    // These read configuration files.
    Log.touch();
    InetAddress.getLoopbackAddress();
    Pipe pipe = Pipe.open();
    pipe.source().close();
    pipe.sink().close();
    // Not bound, not connected: options are enough for all of the JDK's network code.
    try (ServerSocket server = new ServerSocket();
        Socket socket = new Socket()) {
      server.setReuseAddress(true);
      socket.setTcpNoDelay(true);
    }
    touchUnixDomain();
    // Where virtual threads wait. By name, since it can only be used by using it.
    Class.forName("sun.nio.ch.Poller");
  }

  @SuppressWarnings("EmptyCatch")
  private static void touchUnixDomain() throws IOException {
    try {
      ServerSocketChannel.open(StandardProtocolFamily.UNIX).close();
    } catch (UnsupportedOperationException e) {
      // A system without them.
    }
  }
}
