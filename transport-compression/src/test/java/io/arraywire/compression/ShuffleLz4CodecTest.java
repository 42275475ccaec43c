package io.arraywire.compression;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.BlockCodecContract;

class ShuffleLz4CodecTest extends BlockCodecContract {
  @Override
  protected Codec codec() {
    return Compression.shuffleLz4();
  }
}
