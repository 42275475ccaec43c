package io.arraywire.stream;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;

class DataOutputBufferedCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StreamCodecs.dataOutputBuffered();
  }
}
