package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.FloodTimeContract;
import org.junit.jupiter.api.Tag;

/** How soon floods end. */
@Tag("alone")
class StreamFloodTimeTest extends FloodTimeContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
