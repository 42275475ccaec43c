package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.SessionContract;

class NioSessionTest extends SessionContract {
  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options);
  }
}
