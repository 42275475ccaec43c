package io.arraywire.testkit;

import io.arraywire.Delivery;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * What {@link Delivery#SESSION} promises, over a transport whose connections break. Extend it
 * beside {@link TransportContract}; a transport without IP addresses brings a {@link Cable} of its
 * own.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
public abstract class SessionContract
    implements SessionDeliveryTests, SessionReceiveTests, SessionLimitTests, SessionCloseTests {
  @SuppressWarnings("this-escape") // Kept for later; the stage asks for nothing before a test runs.
  private final TransportStage stage = TransportStage.of(this::create, this::address);

  /** For JUnit. */
  protected SessionContract() {}

  /**
   * Makes the transport to check.
   *
   * @param options its options
   * @return a new transport
   */
  protected abstract Transport create(TransportOptions options);

  /**
   * Where to listen: by default any free port of the loopback interface.
   *
   * @return an address, each time one that is free
   */
  protected SocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  /**
   * Lays a cable to a listener.
   *
   * @param listener its address
   * @return the cable
   * @throws Exception if there is none
   */
  @Override
  public Cable cable(SocketAddress listener) throws Exception {
    return new SocketCable(listener);
  }

  @AfterEach
  final void end() throws Exception {
    stage.close();
  }

  @Override
  public final TransportStage stage() {
    return stage;
  }
}
