package io.arraywire.nio;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Over Unix domain sockets. */
@Tag("newest")
@Tag("variant")
class NioUnixDomainTransportTest extends NioTransportTest {
  @TempDir Path directory;
  private final AtomicInteger sockets = new AtomicInteger();

  @Override
  protected SocketAddress address() {
    return UnixDomainSocketAddress.of(directory.resolve("s" + sockets.incrementAndGet()));
  }
}
