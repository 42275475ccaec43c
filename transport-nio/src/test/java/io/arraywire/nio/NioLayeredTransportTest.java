package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.CopyingLayer;
import org.junit.jupiter.api.Tag;

/** Through a layer that copies, splits and holds back what passes it. */
@Tag("newest")
@Tag("variant")
class NioLayeredTransportTest extends NioTransportTest {
  private static final long SEED = 20261125;

  @Override
  protected Transport create(TransportOptions options) {
    return new SelectorTransport(
        options, NioOptions.defaults(), SocketIo::of, CopyingLayer.of(SEED));
  }
}
