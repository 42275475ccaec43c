package io.arraywire.testkit;

import io.arraywire.codec.StandardCodecs;
import io.arraywire.spi.Codec;

class ProtobufCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StandardCodecs.protobuf();
  }
}
