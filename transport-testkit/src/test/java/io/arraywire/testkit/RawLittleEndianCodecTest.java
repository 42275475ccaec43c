package io.arraywire.testkit;

import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;
import java.nio.ByteOrder;

class RawLittleEndianCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN);
  }
}
