package io.arraywire.nio;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;

class DirectSwappedCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return NioCodecs.list().get(1);
  }
}
