package io.arraywire.nio;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;

class DirectCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return NioCodecs.direct();
  }
}
