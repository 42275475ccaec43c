package io.arraywire.stream;

import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;
import org.junit.jupiter.api.Tag;

/** The class that {@link DataOutputCodecTest} has, with another trait. */
@Tag("variant")
class DataOutputBufferedCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StreamCodecs.dataOutputBuffered();
  }
}
