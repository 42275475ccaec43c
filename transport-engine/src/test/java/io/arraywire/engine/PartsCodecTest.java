package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class PartsCodecTest {
  private static final Message MESSAGE =
      Message.of("longs", new long[] {Long.MIN_VALUE, 1, 0x0102030405060708L})
          .with("none", new float[0])
          .with("bytes", new byte[] {1, 2, 3})
          .withRows("rows", new double[][] {{0.1, -0.0}, {Double.NaN, 4}})
          .with("shorts", ArraySlice.of(new short[] {9, 1, 2, 3, 9}, 1, 3).as(ElementType.UINT16))
          .with("booleans", new boolean[] {true, false, true});

  private static byte[] encoded(Object array, int index, int count) {
    ByteBuffer target = ByteBuffer.allocate(count + 1);
    PartsCodec.INSTANCE.encode(ElementType.BYTE, array, index, count, target);
    assertThat(target.position()).isEqualTo(count);
    return Arrays.copyOf(target.array(), count);
  }

  /** Whatever is asked for, also where that begins or ends inside an element or inside zeros. */
  @Test
  void everyRange() {
    byte[] message = ArrayMessage.encode(MESSAGE);
    int attributes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN).getShort(10);
    byte[] payload = Arrays.copyOfRange(message, 64 + attributes, message.length);
    assertThat(payload).hasSize(24 + 8 + 32 + 8 + 8);
    for (int from = 0; from <= payload.length; from++) {
      for (int to = from; to <= payload.length; to++) {
        assertThat(encoded(MESSAGE, from, to - from))
            .isEqualTo(Arrays.copyOfRange(payload, from, to));
      }
    }
    assertThat(encoded(payload, 3, 40)).isEqualTo(Arrays.copyOfRange(payload, 3, 43));
  }
}
