package io.arraywire.compression;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.BlockCodecContract;

class ShuffleZstdCodecTest extends BlockCodecContract {
  @Override
  protected Codec codec() {
    return Compression.shuffleZstd();
  }
}
