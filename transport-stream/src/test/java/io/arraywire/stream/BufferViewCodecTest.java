package io.arraywire.stream;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;

class BufferViewCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StreamCodecs.bufferView();
  }
}
