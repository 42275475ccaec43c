package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TransportContract;

class StreamTransportTest extends TransportContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }

  @Override
  public Promises promises() {
    return new Promises(2, 2, 1);
  }
}
