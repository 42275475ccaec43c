package io.arraywire.testkit;

import io.arraywire.spi.Codec;

class RunsCodecTest extends BlockCodecContract {
  @Override
  protected Codec codec() {
    return RunsCodec.CODEC;
  }
}
