package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TransportContract;

class NioTransportTest extends TransportContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }

  @Override
  public Promises promises() {
    return new Promises(1, 1, 0);
  }
}
