package io.arraywire.client;

import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.SocketAddress;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A server that a test ends, one way or the other, and starts again at the same address. */
final class TestServer implements AutoCloseable {
  private final Function<TransportOptions, Transport> transports;
  private final Handlers handlers;
  private SocketAddress address;
  private @Nullable Transport transport;
  private @Nullable Listener listener;

  TestServer(
      Function<TransportOptions, Transport> transports, SocketAddress address, Handlers handlers) {
    this.transports = transports;
    this.address = address;
    this.handlers = handlers;
  }

  TestServer start() throws Exception {
    Transport made = transports.apply(TransportOptions.defaults());
    transport = made;
    listener = made.listen(address, handlers);
    address = listener.address();
    return this;
  }

  SocketAddress address() {
    return address;
  }

  Listener listener() {
    Listener present = listener;
    if (present == null) {
      throw new IllegalStateException("not started");
    }
    return present;
  }

  /** As SIGTERM does: drains, and says goodbye. */
  void drain() throws Exception {
    listener().close();
  }

  /** As SIGKILL does: peers hear nothing but the end of their streams. */
  void kill() {
    Transport present = transport;
    if (present != null) {
      present.close();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
