package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartsCodecTest {
  private static final Message MESSAGE =
      Message.of("longs", new long[] {Long.MIN_VALUE, 1, 0x0102030405060708L})
          .with("none", new float[0])
          .with("bytes", new byte[] {1, 2, 3})
          .withRows("rows", new double[][] {{0.1, -0.0}, {Double.NaN, 4}})
          .with("shorts", ArraySlice.of(new short[] {9, 1, 2, 3, 9}, 1, 3).as(ElementType.UINT16))
          .with("booleans", new boolean[] {true, false, true});

  private static byte[] encoded(PartsCodec codec, Object array, int index, int count) {
    ByteBuffer target = ByteBuffer.allocate(count + 1);
    codec.encode(ElementType.BYTE, array, index, count, target);
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
    // One transfer for all, which goes on, and back, as one that begins again does.
    PartsCodec transfer = PartsCodec.INSTANCE.ofTransfer();
    for (int from = 0; from <= payload.length; from++) {
      for (int to = from; to <= payload.length; to++) {
        byte[] range = Arrays.copyOfRange(payload, from, to);
        assertThat(encoded(PartsCodec.INSTANCE, MESSAGE, from, to - from)).isEqualTo(range);
        assertThat(encoded(transfer, MESSAGE, from, to - from)).isEqualTo(range);
      }
    }
    assertThat(encoded(PartsCodec.INSTANCE, payload, 3, 40))
        .isEqualTo(Arrays.copyOfRange(payload, 3, 43));
    for (int step = 1; step < payload.length; step++) {
      for (int from = 0; from < payload.length; from += step) {
        int to = Math.min(payload.length, from + step);
        assertThat(encoded(transfer, MESSAGE, from, to - from))
            .isEqualTo(Arrays.copyOfRange(payload, from, to));
      }
    }
  }

  /** A block begins in the row in which the one before ends, and looks at no earlier one. */
  @Test
  void aTransferLooksAtNoRowAgain() {
    int columns = 10;
    int[] elements = IntStream.range(0, 10_000).toArray();
    AtomicInteger looks = new AtomicInteger();
    List<ArraySlice> rows =
        new AbstractList<>() {
          @Override
          public ArraySlice get(int row) {
            looks.incrementAndGet();
            return ArraySlice.of(elements, row * columns, columns);
          }

          @Override
          public int size() {
            return elements.length / columns;
          }
        };
    for (int block : new int[] {7, 10, 64}) {
      PartsCodec transfer = PartsCodec.INSTANCE.ofTransfer();
      ByteBuffer target =
          ByteBuffer.allocate(elements.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      looks.set(0);
      int blocks = 0;
      for (int at = 0; at < elements.length; at += block) {
        transfer.putWhole(0, rows, at, Math.min(block, elements.length - at), target);
        blocks++;
      }
      assertThat(looks).hasValueLessThanOrEqualTo(rows.size() + blocks);
      int[] written = new int[elements.length];
      target.flip().order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(written);
      assertThat(written).isEqualTo(elements);
    }
  }
}
