package io.arraywire.testkit;

import io.arraywire.testkit.proxy.FaultProxy;
import java.io.IOException;
import java.net.SocketAddress;

/** A cable of sockets. */
final class ProxyCable implements Cable {
  private final FaultProxy proxy;

  ProxyCable(SocketAddress listener) throws IOException {
    proxy = FaultProxy.to(listener).start();
  }

  @Override
  public SocketAddress address() {
    return proxy.address();
  }

  @Override
  public void cut() {
    proxy.resetAll();
  }

  @Override
  public void unplug() {
    proxy.refuse();
    proxy.resetAll();
  }

  @Override
  public void plug() {
    proxy.heal();
  }

  @Override
  public void leadTo(SocketAddress listener) {
    proxy.retarget(listener);
  }

  @Override
  public void close() {
    proxy.close();
  }
}
