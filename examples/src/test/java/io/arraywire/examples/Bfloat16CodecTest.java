package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import io.arraywire.spi.Codecs;
import io.arraywire.testkit.CodecContract;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class Bfloat16CodecTest extends CodecContract {
  @Override
  protected Codec codec() {
    return new Bfloat16Codec();
  }

  /** Exactly what the codec's documentation allows. */
  @Override
  protected boolean acceptable(ElementType type, Object sent, Object received) {
    float before = (Float) sent;
    float after = (Float) received;
    if (Float.isNaN(before)) {
      return Float.isNaN(after);
    } else if (Math.abs(before) >= Bfloat16Codec.OVERFLOW) {
      return after == Math.copySign(Float.POSITIVE_INFINITY, before);
    }
    double allowed = Math.max(Math.abs((double) before) * 0x1p-8, 0x1p-134);
    return Math.abs((double) before - after) <= allowed
        && Math.copySign(1, before) == Math.copySign(1, after);
  }

  @Test
  void roundsToTheNearestAndTiesToEven() {
    assertThat(roundTrip(0x1.00p0f)).isEqualTo(0x1.00p0f);
    assertThat(roundTrip(0x1.00fffep0f)).isEqualTo(0x1.00p0f);
    assertThat(roundTrip(0x1.01p0f)).isEqualTo(0x1.00p0f);
    assertThat(roundTrip(0x1.010002p0f)).isEqualTo(0x1.02p0f);
    assertThat(roundTrip(0x1.03p0f)).isEqualTo(0x1.04p0f);
    assertThat(roundTrip(-0x1.ffp1f)).isEqualTo(-0x1p2f);
  }

  @Test
  void becomesInfiniteWhereItSaysSo() {
    assertThat(roundTrip(Math.nextDown(Bfloat16Codec.OVERFLOW))).isEqualTo(0x1.fep127f);
    assertThat(roundTrip(Bfloat16Codec.OVERFLOW)).isEqualTo(Float.POSITIVE_INFINITY);
    assertThat(roundTrip(-Float.MAX_VALUE)).isEqualTo(Float.NEGATIVE_INFINITY);
  }

  @Test
  void keepsANanANan() {
    assertThat(roundTrip(Float.intBitsToFloat(0x7f800001))).isNaN();
    assertThat(Float.floatToRawIntBits(roundTrip(Float.intBitsToFloat(0xffd50000))))
        .isEqualTo(0xffd50000);
  }

  @Test
  void writesTheUpperHalfOfAFloatInLittleEndianOrder() {
    ByteBuffer target = ByteBuffer.allocate(4);
    codec().encode(ElementType.FLOAT, new float[] {1, -2}, 0, 2, target);

    assertThat(target.array()).containsExactly(0x80, 0x3f, 0x00, 0xc0);
  }

  @Test
  void isFoundWhereAnApplicationNamesItAsAService(@TempDir Path application) throws IOException {
    Path services = Files.createDirectories(application.resolve("META-INF/services"));
    Files.writeString(
        services.resolve(CodecProvider.class.getName()), Bfloat16Codec.class.getName());
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {application.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      assertThat(Codecs.named("bfloat16")).isInstanceOf(Bfloat16Codec.class);
    } finally {
      thread.setContextClassLoader(before);
    }
    assertThat(Codecs.installed()).extracting(Codec::name).doesNotContain("bfloat16");
  }

  private float roundTrip(float value) {
    ByteBuffer bytes = ByteBuffer.allocate(2);
    float[] decoded = new float[1];
    Bfloat16Codec codec = new Bfloat16Codec();
    codec.encode(ElementType.FLOAT, new float[] {value}, 0, 1, bytes);
    codec.decode(ElementType.FLOAT, bytes.flip(), decoded, 0, 1);
    return decoded[0];
  }
}
