package io.arraywire.stream;

import io.arraywire.engine.GuardedLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A Unix domain socket's file. Removes the file when closed, unless it has become another's. */
final class UnixServer implements ServerEnd {
  private static final GuardedLogger LOGGER = GuardedLogger.of("io.arraywire");

  private final ServerSocketChannel server;
  private final UnixDomainSocketAddress address;
  private final @Nullable Object file;
  private final AtomicBoolean closed = new AtomicBoolean();

  private UnixServer(ServerSocketChannel server, UnixDomainSocketAddress address) {
    this.server = server;
    this.address = address;
    this.file = fileKey(address.getPath());
  }

  static UnixServer listen(UnixDomainSocketAddress address, int backlog) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(address, backlog);
      // The JDK picks a path where none was given.
      return new UnixServer(server, (UnixDomainSocketAddress) server.getLocalAddress());
    } catch (IOException | RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  @Override
  public StreamSocket accept() throws IOException {
    return ChannelSocket.unix(server.accept());
  }

  @Override
  public SocketAddress address() {
    return address;
  }

  @Override
  public void close() {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      server.close();
    } catch (IOException e) {
      // The descriptor is gone all the same, and nobody could do anything about it.
    }
    Path path = address.getPath();
    try {
      if (Objects.equals(file, fileKey(path))) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      LOGGER.log(
          Level.WARNING,
          "the file of a Unix domain socket could not be removed (path="
              + path
              + ", cause="
              + e
              + ")");
    }
  }

  /** What tells a file from another one that has taken its name since; null if that is unknown. */
  private static @Nullable Object fileKey(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      return null;
    }
  }
}
