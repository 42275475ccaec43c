package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DataOutputCodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return StreamCodecs.dataOutput();
  }

  @Test
  void asksForAChannelOperationPerElement() {
    assertThat(StreamCodecs.dataOutput().traits().elementwise()).isTrue();
    assertThat(StreamCodecs.dataOutputBuffered().traits().elementwise()).isFalse();
  }

  @Test
  void writesWhatALegacyLoopReadsAndReadsWhatItWrites() throws IOException {
    float[] floats = {1.5f, -0.0f, Float.MIN_VALUE, Float.NEGATIVE_INFINITY, 3e38f};
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    DataOutputStream legacyOut = new DataOutputStream(written);
    for (float value : floats) {
      legacyOut.writeFloat(value);
    }

    ByteBuffer encoded = ByteBuffer.allocate(floats.length * Float.BYTES);
    codec().encode(ElementType.FLOAT, floats, 0, floats.length, encoded);
    assertThat(encoded.array()).isEqualTo(written.toByteArray());

    DataInputStream legacyIn = new DataInputStream(new ByteArrayInputStream(encoded.array()));
    for (float value : floats) {
      assertThat(legacyIn.readFloat()).isEqualTo(value);
    }

    float[] decoded = new float[floats.length];
    ByteBuffer source = ByteBuffer.wrap(written.toByteArray());
    codec().decode(ElementType.FLOAT, source, decoded, 0, decoded.length);
    assertThat(decoded).isEqualTo(floats);
  }
}
