package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.SmallHeapContract;

class NioSmallHeapTest extends SmallHeapContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
