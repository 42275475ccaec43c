package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.ScarceDescriptorTests;

class NioScarceDescriptorTest extends ScarceDescriptorTests {
  @Override
  protected Class<?> factory() {
    return NioTransport.class;
  }

  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
