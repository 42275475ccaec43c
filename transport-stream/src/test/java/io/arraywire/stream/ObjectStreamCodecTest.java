package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.CodecContract;
import io.arraywire.testkit.SeededArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ObjectStreamCodecTest extends CodecContract {
  /** Two whole windows of the codec and a part of one, for every element type. */
  private static final int COUNT = 40_000;

  @Override
  protected Codec codec() {
    return StreamCodecs.objectStream();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "INT", "DOUBLE", "LONG", "SHORT", "CHAR", "BYTE", "BOOLEAN"})
  void writesWhatAnObjectOutputStreamWrites(ElementType type) {
    SeededArrays.check(arrays -> {
      Object array = withoutNans(arrays.array(type, COUNT));

      assertThat(encoded(type, array)).isEqualTo(serialized(array));
    });
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "INT", "DOUBLE", "LONG", "SHORT", "CHAR", "BYTE", "BOOLEAN"})
  void isReadByAnObjectInputStream(ElementType type) {
    SeededArrays.check(arrays -> {
      Object array = arrays.array(type, COUNT);
      try (ObjectInputStream in =
          new ObjectInputStream(new ByteArrayInputStream(encoded(type, array)))) {
        Object read = in.readObject();

        assertThat(read).isInstanceOf(array.getClass());
        assertThat(in.available()).isZero();
        assertThat(encoded(type, read)).isEqualTo(encoded(type, array));
      }
    });
  }

  @Test
  void keepsTheBitsOfNansWhichTheStreamItselfDoesNot() throws IOException {
    float[] nans = {Float.intBitsToFloat(0x7fc12345)};

    assertThat(encoded(ElementType.FLOAT, nans)).endsWith(0x7f, 0xc1, 0x23, 0x45);
    assertThat(serialized(nans)).endsWith(0x7f, 0xc0, 0x00, 0x00);
  }

  @Test
  void writesAnArrayAnewThatWasChangedBetweenCalls() {
    int[] array = {1, 2, 3};
    byte[] first = encoded(ElementType.INT, array);
    array[1] = 7;

    assertThat(encoded(ElementType.INT, array)).isNotEqualTo(first).endsWith(7, 0, 0, 0, 3);
  }

  private byte[] encoded(ElementType type, Object array) {
    int count = java.lang.reflect.Array.getLength(array);
    Encoding encoding = codec().encoding();
    ByteBuffer target = ByteBuffer.allocate((int) encoding.encodedBytes(type, count));
    encoding.putPrefix(type, count, target);
    codec().encode(type, array, 0, count, target);
    return target.array();
  }

  private static byte[] serialized(Object array) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(array);
    }
    return bytes.toByteArray();
  }

  private static Object withoutNans(Object array) {
    if (array instanceof float[] floats) {
      for (int i = 0; i < floats.length; i++) {
        floats[i] = Float.isNaN(floats[i]) ? 1 : floats[i];
      }
    } else if (array instanceof double[] doubles) {
      for (int i = 0; i < doubles.length; i++) {
        doubles[i] = Double.isNaN(doubles[i]) ? 1 : doubles[i];
      }
    }
    return array;
  }
}
