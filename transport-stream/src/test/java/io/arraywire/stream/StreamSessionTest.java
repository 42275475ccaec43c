package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.SessionContract;

class StreamSessionTest extends SessionContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
