package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.ScarceDescriptorTests;

class StreamScarceDescriptorTest extends ScarceDescriptorTests {
  @Override
  protected Class<?> factory() {
    return StreamTransport.class;
  }

  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
