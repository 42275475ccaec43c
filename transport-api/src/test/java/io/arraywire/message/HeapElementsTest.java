package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Few elements go another way than many; both are those of the bytes. */
class HeapElementsTest {
  private static void putOne(ElementType type, ByteBuffer bytes, int value) {
    switch (type.carrier()) {
      case FLOAT -> bytes.putFloat(value);
      case INT -> bytes.putInt(value);
      case DOUBLE -> bytes.putDouble(value);
      case LONG -> bytes.putLong(value);
      case SHORT -> bytes.putShort((short) value);
      case CHAR -> bytes.putChar((char) value);
      case BOOLEAN -> bytes.put((byte) (value & 1));
      default -> bytes.put((byte) value);
    }
  }

  private static Object one(ElementType type, int value) {
    return switch (type.carrier()) {
      case FLOAT -> (float) value;
      case INT -> value;
      case DOUBLE -> (double) value;
      case LONG -> (long) value;
      case SHORT -> (short) value;
      case CHAR -> (char) value;
      case BOOLEAN -> (value & 1) == 1;
      default -> (byte) value;
    };
  }

  @Test
  void everyTypeInEveryOrderFewAndMany() {
    for (ElementType type : ElementType.values()) {
      for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
        for (int count : new int[] {0, 1, 31, 32, 33, 100}) {
          ByteBuffer bytes = ByteBuffer.allocate(8 + count * type.bytes() + 8).order(order);
          bytes.position(8);
          for (int i = 0; i < count; i++) {
            putOne(type, bytes, 3 * i + 1);
          }
          Object array = type.newArray(count + 3);
          HeapElements.copy(type, bytes.array(), 8, order, array, 2, count);
          for (int i = 0; i < count; i++) {
            assertThat(Array.get(array, i + 2)).isEqualTo(one(type, 3 * i + 1));
          }
          Object untouched = Array.get(type.newArray(1), 0);
          assertThat(Array.get(array, 1)).isEqualTo(untouched);
          assertThat(Array.get(array, count + 2)).isEqualTo(untouched);
        }
      }
    }
  }
}
