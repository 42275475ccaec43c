package io.arraywire.examples.demo;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import io.arraywire.spi.Codecs;
import java.nio.ByteBuffer;
import java.util.List;

/** Brings a codec that gets one bit of one element wrong: the demo has to notice. */
public final class LyingCodecProvider implements CodecProvider {
  @Override
  public List<Codec> codecs() {
    return List.of(new Lying());
  }

  private static final class Lying implements Codec {
    private final Encoding encoding =
        Encoding.custom(200, "lying", java.nio.ByteOrder.LITTLE_ENDIAN, ElementType::bytes);

    @Override
    public String name() {
      return "lying";
    }

    @Override
    public Encoding encoding() {
      return encoding;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      Codecs.named("direct").encode(type, array, index, count, target);
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
        throws ProtocolException {
      Codecs.named("direct").decode(type, source, array, index, count);
      if (index == 0) {
        float[] floats = (float[]) array;
        floats[0] = Float.intBitsToFloat(Float.floatToRawIntBits(floats[0]) ^ 1);
      }
    }
  }
}
