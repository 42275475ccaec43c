package io.arraywire.stream;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;
import java.nio.ByteOrder;

class BufferViewLittleEndianCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StreamCodecs.bufferView(ByteOrder.LITTLE_ENDIAN);
  }
}
