package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.IdleThreadsContract;
import org.junit.jupiter.api.Tag;

/** Nobody runs where nothing moves. */
@Tag("alone")
class StreamIdleThreadsTest extends IdleThreadsContract {
  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options);
  }
}
