package io.arraywire.examples;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * A codec of one's own, in one class: {@code float} as bfloat16, in half the bytes and with 8 of 24
 * bits of precision. Give it to both sides with {@code TransportOptions.builder().codecs(new
 * Bfloat16Codec())}.
 *
 * <p>A bfloat16 is the upper half of a float: its sign, its exponent and the first 7 bits of its
 * fraction. <b>Error.</b> The nearest bfloat16 is taken, the even one of two:
 *
 * <ul>
 *   <li>A value comes back with a relative error of at most 2<sup>-8</sup> (0.4 %).
 *   <li>One smaller than {@link Float#MIN_NORMAL} has an absolute error of at most
 *       2<sup>-134</sup>.
 *   <li>One of at least {@value #OVERFLOW} in magnitude comes back infinite.
 *   <li>Zeros and infinities keep their sign. A NaN comes back as a NaN with its sign and the first
 *       bits of its payload.
 * </ul>
 *
 * <p>It is also a {@link CodecProvider}: named in {@code
 * META-INF/services/io.arraywire.spi.CodecProvider} of an application, it is one of {@link
 * io.arraywire.spi.Codecs#installed()}. This jar does not name it there. Two sides that have it
 * installed might then agree on it, and lose precision that nobody asked them to lose.
 *
 * <p>Stateless; any thread. Allocates nothing.
 */
public final class Bfloat16Codec implements Codec, CodecProvider {
  /** The smallest magnitude that becomes infinite: half a step above the largest bfloat16. */
  public static final float OVERFLOW = 0x1.ffp127f;

  /** Code and name must be the same on both sides. */
  private static final Encoding ENCODING =
      Encoding.custom(
          200,
          "bfloat16",
          ByteOrder.LITTLE_ENDIAN,
          type -> type == ElementType.FLOAT ? Short.BYTES : 0);

  /** For the service loader and for everybody else. */
  public Bfloat16Codec() {}

  @Override
  public String name() {
    return "bfloat16";
  }

  @Override
  public Encoding encoding() {
    return ENCODING;
  }

  @Override
  public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
    float[] floats = (float[]) array;
    target.order(ENCODING.order());
    for (int i = index; i < index + count; i++) {
      target.putShort(toBfloat16(floats[i]));
    }
  }

  @Override
  public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
    float[] floats = (float[]) array;
    source.order(ENCODING.order());
    for (int i = index; i < index + count; i++) {
      floats[i] = Float.intBitsToFloat(source.getShort() << 16);
    }
  }

  @Override
  public List<Codec> codecs() {
    return List.of(this);
  }

  private static short toBfloat16(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      // Without a bit of its fraction a NaN would become an infinity.
      return (short) (bits >>> 16 | 0x40);
    }
    // Just under a half if the last bit that stays is 0, a half if it is 1: to nearest, ties to
    // even.
    // A carry out of the fraction raises the exponent, which is what it should do, up to infinity.
    return (short) ((bits + 0x7fff + (bits >>> 16 & 1)) >>> 16);
  }
}
