package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.SmallHeapContract;
import org.junit.jupiter.api.Tag;

@Tag("variant")
@Tag("newest")
class StreamSmallHeapTest extends SmallHeapContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
