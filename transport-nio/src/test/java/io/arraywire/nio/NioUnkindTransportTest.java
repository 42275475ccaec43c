package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import org.junit.jupiter.api.Tag;

/** Over sockets that take and give at most 1,000 bytes at a time, and sometimes none. */
@Tag("newest")
@Tag("variant")
class NioUnkindTransportTest extends NioTransportTest {
  private static final long SEED = 20261121;

  @Override
  protected Transport create(TransportOptions options) {
    return new SelectorTransport(options, NioOptions.defaults(), UnkindIo.portions(SEED, 1000));
  }
}
