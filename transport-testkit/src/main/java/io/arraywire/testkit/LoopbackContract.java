package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** Contracts that measure a transport over loopback, one stage for each test. */
abstract class LoopbackContract {
  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  final TransportStage stage = TransportStage.of(this::create, this::address, this::peersTls);

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /** What peers that are plain sockets speak TLS with; null if none is spoken. */
  @Nullable SSLContext peersTls() {
    return null;
  }

  private SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }
}
