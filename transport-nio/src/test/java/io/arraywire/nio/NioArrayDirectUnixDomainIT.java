package io.arraywire.nio;

import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** Arrays without staging, over Unix domain sockets. */
@Tag("variant")
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
class NioArrayDirectUnixDomainIT extends NioArrayDirectIT {
  @TempDir Path directory;
  private final AtomicInteger sockets = new AtomicInteger();

  @Override
  protected SocketAddress address() {
    return UnixDomainSocketAddress.of(directory.resolve("s" + sockets.incrementAndGet()));
  }
}
