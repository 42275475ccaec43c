package io.arraywire.nio;

import io.arraywire.engine.GuardedLogger;
import io.arraywire.engine.SpareDescriptors;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.Pipe;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Has the JDK load what it needs for sockets, selectors and log lines while there are file
 * descriptors. Its classes for that open some for themselves when they are first used; if there are
 * none then, they fail for as long as the process lives.
 */
final class EarlyTouch {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

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
    } catch (IOException | RuntimeException | Error e) {
      LOGGER.log(
          Level.DEBUG,
          "what the JDK loads with the first socket could not be loaded in advance",
          e);
    }
  }

  private static void touch() throws IOException {
    // These read configuration files.
    LOGGER.touch();
    InetAddress.getLoopbackAddress();
    Selector.open().close();
    // What closes a socket opens a pair of its own.
    Pipe pipe = Pipe.open();
    pipe.source().close();
    pipe.sink().close();
    SocketChannel.open().close();
    ServerSocketChannel.open().close();
    touchUnixDomain();
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
