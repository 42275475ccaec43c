package io.arraywire.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Against the getters and setters of a buffer, one element after the other. */
class BulkElementsTest {
  /** Around the sizes at which the way changes: few, a block of 4 KiB, several. */
  private static final int[] COUNTS = {0, 1, 32, 33, 511, 512, 513, 1023, 1024, 1025, 3000, 5000};

  static List<Arguments> orders() {
    List<Arguments> all = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        all.add(Arguments.of(type, order, false));
        all.add(Arguments.of(type, order, true));
      }
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("orders")
  void elementsAreWhatOneByOneWouldMakeOfThem(ElementType type, ByteOrder order, boolean direct) {
    Random random = new Random(7);
    for (int count : COUNTS) {
      for (int offset : new int[] {0, 3}) {
        Object array = random(type, count + 2 * offset, random);
        ByteBuffer bytes = buffer(direct, offset + count * type.bytes() + 5);
        bytes.position(offset);
        BulkElements.put(type, array, offset, count, bytes, order);
        assertThat(bytes.position()).isEqualTo(offset + count * type.bytes());
        assertThat(bytes.order()).isEqualTo(order);
        for (int i = 0; i < count; i++) {
          assertThat(element(bytes, offset + i * type.bytes(), type))
              .isEqualTo(Array.get(array, offset + i));
        }
        ByteBuffer swapped = buffer(direct, bytes.limit()).put(0, bytes, 0, bytes.limit());
        int end = offset + count * type.bytes();
        BulkElements.swap(type, swapped.position(1).limit(end + 1), offset, end);
        assertThat(swapped.position()).isEqualTo(1);
        assertThat(swapped.limit()).isEqualTo(end + 1);
        for (int i = 0; i < bytes.limit(); i++) {
          int at = (i - offset) % type.bytes();
          boolean ofElement = i >= offset && i < end;
          assertThat(swapped.clear().get(i))
              .isEqualTo(bytes.get(ofElement ? i - at + type.bytes() - 1 - at : i));
        }
        Object back = type.newArray(count + 2 * offset);
        bytes.position(offset);
        BulkElements.get(type, bytes, back, offset, count, order);
        assertThat(bytes.position()).isEqualTo(offset + count * type.bytes());
        for (int i = 0; i < count + 2 * offset; i++) {
          Object expected =
              i < offset || i >= offset + count
                  ? Array.get(type.newArray(1), 0)
                  : Array.get(array, i);
          assertThat(Array.get(back, i)).isEqualTo(expected);
        }
      }
    }
  }

  /** A NaN has many bit patterns, and each of them arrives. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void everyBitOfANumberThatIsNoneIsKept(ElementType type) {
    // Few are moved one by one, more of them in blocks, of which this is two and a bit.
    int count = 2500;
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes());
    for (int i = 0; i < bytes.capacity(); i += type.bytes()) {
      if (type == ElementType.FLOAT) {
        bytes.putInt(i, 0x7f80_0001 + i);
      } else {
        bytes.putLong(i, 0x7ff0_0000_0000_0001L + i);
      }
    }
    for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
      Object array = type.newArray(count);
      BulkElements.get(type, bytes.duplicate(), array, 0, count, order);
      ByteBuffer again = ByteBuffer.allocate(bytes.capacity());
      BulkElements.put(type, array, 0, count, again, order);
      assertThat(again.array()).isEqualTo(bytes.array());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"INT", "FLOAT", "LONG", "DOUBLE"})
  void threadsDoNotShareWhatTheySwapIn(ElementType type) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(12);
    try {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int seed = 0; seed < 12; seed++) {
        Random random = new Random(seed);
        Object array = random(type, 3000, random);
        tasks.add(() -> {
          ByteBuffer bytes = ByteBuffer.allocate(3000 * type.bytes());
          for (int i = 0; i < 200; i++) {
            BulkElements.put(type, array, 0, 3000, bytes.clear(), ByteOrder.BIG_ENDIAN);
            Object back = type.newArray(3000);
            BulkElements.get(type, bytes.flip(), back, 0, 3000, ByteOrder.BIG_ENDIAN);
            assertThat(back).isEqualTo(array);
          }
          return null;
        });
      }
      for (Future<Void> each : threads.invokeAll(tasks)) {
        each.get();
      }
    } finally {
      threads.shutdown();
    }
  }

  private static ByteBuffer buffer(boolean direct, int bytes) {
    return direct ? ByteBuffer.allocateDirect(bytes) : ByteBuffer.allocate(bytes);
  }

  private static Object random(ElementType type, int count, Random random) {
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      switch (type.carrier()) {
        case FLOAT -> Array.setFloat(array, i, random.nextFloat());
        case INT -> Array.setInt(array, i, random.nextInt());
        case DOUBLE -> Array.setDouble(array, i, random.nextDouble());
        case LONG -> Array.setLong(array, i, random.nextLong());
        case SHORT -> Array.setShort(array, i, (short) random.nextInt());
        case CHAR -> Array.setChar(array, i, (char) random.nextInt());
        case BYTE -> Array.setByte(array, i, (byte) random.nextInt());
        case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
        default -> throw new IllegalStateException("not a carrier: " + type);
      }
    }
    return array;
  }

  private static Object element(ByteBuffer bytes, int at, ElementType type) {
    return switch (type.carrier()) {
      case FLOAT -> bytes.getFloat(at);
      case INT -> bytes.getInt(at);
      case DOUBLE -> bytes.getDouble(at);
      case LONG -> bytes.getLong(at);
      case SHORT -> bytes.getShort(at);
      case CHAR -> bytes.getChar(at);
      case BYTE -> bytes.get(at);
      case BOOLEAN -> bytes.get(at) != 0;
      default -> throw new IllegalStateException("not a carrier: " + type);
    };
  }
}
