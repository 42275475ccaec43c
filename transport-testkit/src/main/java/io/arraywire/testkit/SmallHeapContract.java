package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Transport} must do where the heap is small and peers read nothing: live, and
 * serve others. Extend it beside {@link TransportContract} if your transport uses sockets and a
 * {@link io.arraywire.spi.TransportProvider} publishes it.
 *
 * <p>Each test starts a JVM that makes the transport by its name, with default options. So one
 * class for a transport is enough, whatever options its other tests have. A class of its own can
 * run beside the contract, which takes as long. A transport that nobody publishes is skipped.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class SmallHeapContract implements UnreadTests {
  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage =
      TransportStage.of(
          this::create, () -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

  /** For JUnit. */
  protected SmallHeapContract() {}

  /**
   * Makes the transport to check, of which the name is taken.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where the test plays.
   *
   * @return the stage of this test
   */
  @Override
  public final TransportStage stage() {
    return stage;
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }
}
