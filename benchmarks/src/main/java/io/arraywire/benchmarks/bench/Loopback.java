package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.JvmHosts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Where the two ends of a contender meet, in places that have numbers: on this machine, or where
 * the {@link JvmHosts} told their JVMs to.
 */
enum Loopback {
  TCP {
    @Override
    String suffix() {
      return "";
    }

    @Override
    ServerSocketChannel open() throws IOException {
      return ServerSocketChannel.open();
    }

    @Override
    SocketAddress free() {
      return address(JvmHosts.LISTEN_ON, 0);
    }

    @Override
    int number(SocketAddress bound) {
      return ((InetSocketAddress) bound).getPort();
    }

    @Override
    SocketAddress numbered(int number) {
      return address(JvmHosts.CONNECT_TO, number);
    }

    private static InetSocketAddress address(String property, int port) {
      String host = System.getProperty(property);
      return host == null
          ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
          : new InetSocketAddress(host, port);
    }

    @Override
    void met(SocketAddress bound) {}
  },

  /** A Unix domain socket: a file, named after the process that listens, which can have one. */
  UNIX {
    @Override
    String suffix() {
      return "-unix";
    }

    @Override
    ServerSocketChannel open() throws IOException {
      return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    @Override
    SocketAddress free() throws IOException {
      // Of a process that is no more.
      Files.deleteIfExists(file(own()));
      return numbered(own());
    }

    @Override
    int number(SocketAddress bound) {
      return own();
    }

    @Override
    SocketAddress numbered(int number) {
      return UnixDomainSocketAddress.of(file(number));
    }

    @Override
    void met(SocketAddress bound) throws IOException {
      Files.deleteIfExists(((UnixDomainSocketAddress) bound).getPath());
    }

    private static int own() {
      return Math.toIntExact(ProcessHandle.current().pid());
    }

    private static Path file(int number) {
      return Path.of(System.getProperty("java.io.tmpdir"), "arraywire-bench-" + number);
    }
  };

  /** What the names of contenders end with that meet there. */
  abstract String suffix();

  /** Opens a channel to listen with. */
  abstract ServerSocketChannel open() throws IOException;

  /** A place to listen that nobody else has. */
  abstract SocketAddress free() throws IOException;

  /** The number of the place where this process listens. */
  abstract int number(SocketAddress bound);

  /** The place of that number. */
  abstract SocketAddress numbered(int number);

  /** Both ends are connected, and nobody else is to come: nothing is left behind. */
  abstract void met(SocketAddress bound) throws IOException;
}
