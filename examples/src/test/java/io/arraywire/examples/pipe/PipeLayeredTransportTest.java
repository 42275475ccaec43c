package io.arraywire.examples.pipe;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.CopyingLayer;
import org.junit.jupiter.api.Tag;

/** Through a layer that copies, splits and holds back what passes it. */
@Tag("newest")
@Tag("variant")
class PipeLayeredTransportTest extends PipeTransportTest {
  private static final long SEED = 20261127;

  @Override
  protected Transport create(TransportOptions options) {
    return PipeTransport.create(options, CopyingLayer.of(SEED));
  }
}
