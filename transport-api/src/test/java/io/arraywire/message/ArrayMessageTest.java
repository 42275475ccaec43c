package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.spi.BulkElements;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrayMessageTest {
  private static final Limits LIMITS = Limits.ofBytes(1 << 20);
  private static final int MESSAGES = 2_000;

  @Test
  void theShortProgram() throws Exception {
    float[] features = {1, 2, 3};
    byte[] record = ArrayMessage.encode(Message.of(features).tag(42));
    Message back = ArrayMessage.decode(record, LIMITS);

    assertThat(back.floats()).containsExactly(1, 2, 3).isNotSameAs(features);
    assertThat(back.tag()).isEqualTo(42);
    assertThat(record).hasSize(64 + 12);
  }

  /** A seed that failed is in the text; there are no others to be found. */
  @Test
  void anyMessageComesBack() throws Exception {
    for (long seed = 0; seed < MESSAGES; seed++) {
      Random random = new Random(seed);
      Message message = message(random);
      MessageOptions options =
          MessageOptions.defaults()
              .encoding(random.nextBoolean() ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN)
              .checksum(random.nextBoolean());
      byte[] bytes = ArrayMessage.encode(message, options);
      assertThat(bytes).as("seed %d", seed).hasSize((int) ArrayMessage.encodedSize(message));
      Message back = ArrayMessage.decode(bytes, LIMITS);
      assertSame(back, message, seed);
      assertThat(ArrayMessage.encode(back, options)).as("seed %d", seed).isEqualTo(bytes);

      ByteBuffer buffer = buffer(random, bytes.length + 40);
      ByteOrder order = buffer.order();
      int at = random.nextInt(20);
      buffer.position(at);
      ArrayMessage.encode(message, buffer, options);
      assertThat(buffer.position()).isEqualTo(at + bytes.length);
      assertThat(buffer.limit()).isEqualTo(bytes.length + 40);
      assertThat(buffer.order()).isEqualTo(order);
      byte[] there = new byte[bytes.length];
      buffer.get(at, there);
      assertThat(there).as("seed %d", seed).isEqualTo(bytes);
      ByteBuffer source = random.nextBoolean() ? buffer : buffer.asReadOnlyBuffer();
      source.position(at);
      assertSame(ArrayMessage.decode(source, LIMITS), message, seed);
      assertThat(source.position()).isEqualTo(at + bytes.length);
      assertThat(source.limit()).isEqualTo(bytes.length + 40);
    }
  }

  private static ByteBuffer buffer(Random random, int bytes) {
    ByteBuffer buffer =
        random.nextBoolean() ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
    return buffer.order(random.nextBoolean() ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
  }

  private static Message message(Random random) {
    Message message = null;
    int parts = random.nextInt(4) == 0 ? 1 : 1 + random.nextInt(6);
    for (int i = 0; i < parts; i++) {
      ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
      int count = random.nextInt(4) == 0 ? random.nextInt(2_000) : random.nextInt(9);
      Object array = array(type, count + 3, random);
      ArraySlice slice = ArraySlice.ofArray(array, random.nextInt(4), count).as(type);
      String name = i == 0 && random.nextBoolean() ? Message.UNNAMED : name(random) + i;
      long[] shape =
          switch (random.nextInt(3)) {
            case 0 -> new long[0];
            case 1 -> new long[] {1, count};
            default -> count % 2 == 0 ? new long[] {2, count / 2} : new long[] {count};
          };
      message = message == null ? Message.of(name, slice, shape) : message.with(name, slice, shape);
    }
    message = message.tag(random.nextLong());
    for (int i = random.nextInt(4); i > 0; i--) {
      message = message.attribute("k" + name(random), name(random));
    }
    return message;
  }

  private static String name(Random random) {
    StringBuilder name = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int c = new int[] {'a', 0, 0xfc, 0x20ac, 0x1d6fc}[random.nextInt(5)];
      name.appendCodePoint(c);
    }
    return name.toString();
  }

  private static Object array(ElementType type, int length, Random random) {
    byte[] bits = new byte[length * type.bytes()];
    random.nextBytes(bits);
    Object array = type.newArray(length);
    if (array instanceof boolean[] booleans) {
      for (int i = 0; i < length; i++) {
        booleans[i] = random.nextBoolean();
      }
      return array;
    }
    BulkElements.get(type, ByteBuffer.wrap(bits), array, 0, length, ByteOrder.BIG_ENDIAN);
    return array;
  }

  private static void assertSame(Message actual, Message expected, long seed) {
    assertThat(actual.tag()).as("seed %d", seed).isEqualTo(expected.tag());
    assertThat(actual.attributes()).as("seed %d", seed).isEqualTo(expected.attributes());
    assertThat(actual.parts()).as("seed %d", seed).hasSameSizeAs(expected.parts());
    for (int i = 0; i < actual.parts().size(); i++) {
      Part part = actual.parts().get(i);
      Part wanted = expected.parts().get(i);
      assertThat(part.name()).as("seed %d", seed).isEqualTo(wanted.name());
      assertThat(part.type()).as("seed %d", seed).isEqualTo(wanted.type());
      assertThat(part.shape()).as("seed %d", seed).isEqualTo(wanted.shape());
      assertThat(bits(part)).as("seed %d", seed).isEqualTo(bits(wanted));
    }
  }

  /** Bits, so that a NaN is compared with the very same one. */
  private static byte[] bits(Part part) {
    ByteBuffer bits = ByteBuffer.allocate(part.count() * part.type().bytes());
    Object all = part.type().newArray(part.count());
    part.readInto(all);
    BulkElements.put(part.type(), all, 0, part.count(), bits, ByteOrder.BIG_ENDIAN);
    return bits.array();
  }

  @Test
  void nansKeepTheirBits() throws Exception {
    int[] floats = {0x7fc12345, 0xffa00001, 0x7f800001, 0x80000000, 1};
    long[] doubles = {0x7ff8000000012345L, 0xfff4000000000001L, 0x7ff0000000000001L, 1L << 63, 1};
    float[] floatArray = new float[80];
    double[] doubleArray = new double[80];
    for (int i = 0; i < 80; i++) {
      floatArray[i] = Float.intBitsToFloat(floats[i % 5]);
      doubleArray[i] = Double.longBitsToDouble(doubles[i % 5]);
    }
    for (int count : new int[] {5, 80}) {
      for (Encoding encoding :
          new Encoding[] {Encoding.RAW_BIG_ENDIAN, Encoding.RAW_LITTLE_ENDIAN}) {
        Message message =
            Message.of("f", ArraySlice.of(floatArray, 0, count))
                .with("d", ArraySlice.of(doubleArray, 0, count));
        Message back =
            ArrayMessage.decode(
                ArrayMessage.encode(message, MessageOptions.defaults().encoding(encoding)), LIMITS);
        for (int i = 0; i < count; i++) {
          assertThat(Float.floatToRawIntBits(back.floats("f")[i])).isEqualTo(floats[i % 5]);
          assertThat(Double.doubleToRawLongBits(back.doubles("d")[i])).isEqualTo(doubles[i % 5]);
        }
      }
    }
  }

  @Test
  void messagesLieBehindEachOther() throws Exception {
    ByteBuffer buffer = ByteBuffer.allocate(1_000);
    ArrayMessage.encode(Message.of("a", new byte[] {1}).with("b", new byte[] {2}), buffer);
    // Where several parts end the next message is aligned, too.
    assertThat(buffer.position() % 8).isZero();
    ArrayMessage.encode(Message.of(new byte[] {3}), buffer);
    ArrayMessage.encode(Message.of(new byte[] {4}), buffer);
    buffer.flip();

    assertThat(ArrayMessage.decode(buffer, LIMITS).bytes("b")).containsExactly(2);
    assertThat(ArrayMessage.decode(buffer, LIMITS).bytes()).containsExactly(3);
    assertThat(ArrayMessage.decode(buffer, LIMITS).bytes()).containsExactly(4);
    assertThat(buffer.hasRemaining()).isFalse();
    assertThatThrownBy(() -> ArrayMessage.decode(buffer, LIMITS))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.TRUNCATED::isOf);
  }

  @Test
  void anArrayHoldsOneMessage() {
    byte[] bytes = ArrayMessage.encode(Message.of(new byte[] {1}));
    assertThatThrownBy(() -> ArrayMessage.decode(Arrays.copyOf(bytes, 70), LIMITS))
        .isInstanceOf(ProtocolException.class)
        .matches(ErrorCode.BAD_LENGTH::isOf)
        .hasMessageContainingAll("bytes=65", "behind=5");
  }

  @Test
  void aBufferThatIsTooSmallIsLeftAlone() {
    Message message = Message.of(new byte[] {1, 2});
    ByteBuffer buffer = ByteBuffer.allocate(67).position(2).limit(67);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encode(message, buffer))
        .withMessageContainingAll("bytes=66", "room=65");
    assertThat(buffer.position()).isEqualTo(2);
    assertThat(buffer.array()).containsOnly(0);
    ArrayMessage.encode(message, buffer.position(1));
    assertThatThrownBy(
            () -> ArrayMessage.encode(message, ByteBuffer.allocate(99).asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void aMessageMayBeTooLargeForAnArray() {
    byte[] large = new byte[1 << 20];
    Message message = Message.of("p", large);
    for (int i = 0; i < 1_000; i++) {
      message = message.with("p" + i, large);
    }
    Message half = message;
    assertThat(ArrayMessage.encodedSize(half)).isGreaterThan(1001L << 20);
    byte[][] table = new byte[1 << 11][];
    Arrays.fill(table, large);
    Message most = half.withRows("table", Arrays.copyOf(table, (1 << 11) - 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrayMessage.encode(most))
        .withMessageContainingAll(
            "bytes=" + ArrayMessage.encodedSize(most), "limit=" + (Integer.MAX_VALUE - 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> half.withRows("table", table))
        .withMessageContainingAll("elements=" + (1L << 31), "limit=" + (Integer.MAX_VALUE - 8));
  }

  @Test
  void optionsAreChecked() {
    assertThat(MessageOptions.defaults().encoding()).isEqualTo(Encoding.RAW_LITTLE_ENDIAN);
    assertThat(MessageOptions.defaults().checksum()).isTrue();
    assertThat(MessageOptions.defaults().checksum(false))
        .hasToString("encoding=raw-le, checksum=false");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MessageOptions.defaults().encoding(Encoding.JAVA_OBJECT))
        .withMessageContaining("encoding=java-object");
    assertThat(Limits.ofBytes(0).parts(1)).hasToString("bytes=0, parts=1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Limits.ofBytes(-1))
        .withMessageContaining("bytes=-1");
    for (int parts : new int[] {0, 1025}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Limits.ofBytes(1).parts(parts))
          .withMessageContaining("parts=" + parts);
    }
    assertThat(Limits.ofBytes(Long.MAX_VALUE).bytes()).isEqualTo(Long.MAX_VALUE);
  }
}
