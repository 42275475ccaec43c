package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The transport with default options that all callers of a module's static methods share. The first
 * use makes it, or the next one if the system lacked resources; it is never closed. Any thread.
 */
public final class SharedTransport {
  private final Function<TransportOptions, Transport> factory;
  private final Made made = new Made();

  /**
   * The transport, once there is one. A class of its own, as everywhere in a public one: code that
   * is compiled against a field with the annotation would need it, too.
   */
  private static final class Made {
    @GuardedBy("this")
    @Nullable Transport transport;
  }

  /**
   * Keeps the factory; the first use makes the transport.
   *
   * @param factory makes the transport; throws {@link UncheckedIOException} if it cannot
   */
  public SharedTransport(Function<TransportOptions, Transport> factory) {
    this.factory = factory;
  }

  private Transport get() {
    synchronized (made) {
      Transport transport = made.transport;
      if (transport == null) {
        transport = factory.apply(TransportOptions.defaults());
        made.transport = transport;
      }
      return transport;
    }
  }

  /**
   * The transport to listen with.
   *
   * @param address where
   * @return the transport
   * @throws BindFailedException if it cannot be made
   */
  public Transport toListen(SocketAddress address) throws BindFailedException {
    try {
      return get();
    } catch (UncheckedIOException e) {
      throw ConnectErrors.bind(address, e);
    }
  }

  /**
   * The transport to connect with.
   *
   * @param address where to
   * @return the transport
   * @throws ConnectFailedException if it cannot be made
   */
  public Transport toConnect(SocketAddress address) throws ConnectFailedException {
    try {
      return get();
    } catch (UncheckedIOException e) {
      throw ConnectErrors.connect(address, e);
    }
  }
}
