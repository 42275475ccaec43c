package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EncodingTest {
  private static final List<Encoding> STANDARD =
      List.of(
          Encoding.RAW_LITTLE_ENDIAN,
          Encoding.RAW_BIG_ENDIAN,
          Encoding.JAVA_OBJECT,
          Encoding.PROTOBUF);

  private static final int[] COUNTS = {0, 1, 31, 32, 1000, 1 << 29, Integer.MAX_VALUE};

  @Test
  void codesAndNamesNeverChange() {
    assertThat(STANDARD).extracting(Encoding::code).containsExactly(1, 2, 3, 4);
    assertThat(STANDARD)
        .extracting(Encoding::name)
        .containsExactly("raw-le", "raw-be", "java-object", "protobuf");
    assertThat(STANDARD)
        .extracting(Encoding::order)
        .containsExactly(
            ByteOrder.LITTLE_ENDIAN,
            ByteOrder.BIG_ENDIAN,
            ByteOrder.BIG_ENDIAN,
            ByteOrder.LITTLE_ENDIAN);
    assertThat(STANDARD).allMatch(Encoding::hasPlainElements);
  }

  @ParameterizedTest
  @EnumSource
  void elementsAreAsLargeAsInMemory(ElementType type) {
    assertThat(Encoding.RAW_LITTLE_ENDIAN.elementBytes(type)).isEqualTo(type.bytes());
    assertThat(Encoding.RAW_BIG_ENDIAN.elementBytes(type)).isEqualTo(type.bytes());
    assertThat(Encoding.JAVA_OBJECT.elementBytes(type))
        .isEqualTo(type.isPrimitive() ? type.bytes() : 0);
    boolean fixedSizeInProtobuf = type.isPrimitive() && type.bytes() >= 4;
    assertThat(Encoding.PROTOBUF.supports(type)).isEqualTo(fixedSizeInProtobuf);
    assertThat(Encoding.PROTOBUF.elementBytes(type))
        .isEqualTo(fixedSizeInProtobuf ? type.bytes() : 0);
  }

  @ParameterizedTest
  @EnumSource
  void rawElementsHaveNoPrefix(ElementType type) throws ProtocolException {
    for (Encoding raw : List.of(Encoding.RAW_LITTLE_ENDIAN, Encoding.RAW_BIG_ENDIAN)) {
      for (int count : COUNTS) {
        assertThat(prefix(raw, type, count)).isEmpty();
        raw.checkPrefix(type, count, ByteBuffer.allocate(0));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "INT", "DOUBLE", "LONG", "SHORT", "CHAR", "BYTE", "BOOLEAN"})
  void thePrefixOfJavaObjectIsWhatThisJdkWrites(ElementType type) throws IOException {
    for (int count : new int[] {0, 1, 1000}) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
        stream.writeObject(type.newArray(count));
      }
      byte[] written = bytes.toByteArray();

      byte[] prefix = prefix(Encoding.JAVA_OBJECT, type, count);

      assertThat(prefix).hasSize(27).isEqualTo(Arrays.copyOf(written, 27));
      assertThat(Encoding.JAVA_OBJECT.encodedBytes(type, count)).isEqualTo(written.length);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "INT", "DOUBLE", "LONG"})
  void thePrefixOfProtobufIsWhatProtobufWrites(ElementType type) throws IOException {
    for (int count : COUNTS) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      if (count > 0) {
        CodedOutputStream stream = CodedOutputStream.newInstance(bytes);
        stream.writeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);
        stream.writeUInt64NoTag((long) count * type.bytes());
        stream.flush();
      }

      assertThat(prefix(Encoding.PROTOBUF, type, count)).isEqualTo(bytes.toByteArray());
    }
  }

  @Test
  void everyChangeOfOneByteOfAPrefixIsRefused() throws ProtocolException {
    for (Encoding encoding : List.of(Encoding.JAVA_OBJECT, Encoding.PROTOBUF)) {
      for (ElementType type : ElementType.values()) {
        for (int count : encoding.supports(type) ? COUNTS : new int[0]) {
          byte[] prefix = prefix(encoding, type, count);
          encoding.checkPrefix(type, count, ByteBuffer.wrap(prefix));
          for (int at = 0; at < prefix.length; at++) {
            for (int change = 1; change < 256; change++) {
              checkRefused(encoding, type, count, prefix, at, change);
            }
          }
        }
      }
    }
  }

  private static void checkRefused(
      Encoding encoding, ElementType type, int count, byte[] prefix, int at, int change) {
    byte[] changed = prefix.clone();
    changed[at] ^= (byte) change;
    // Elements follow: they must stay unread.
    ByteBuffer source = ByteBuffer.wrap(Arrays.copyOf(changed, changed.length + 8));
    try {
      encoding.checkPrefix(type, count, source);
    } catch (ProtocolException e) {
      if (source.position() != at + 1 || !Integer.valueOf(at).equals(e.facts().get("at"))) {
        throw new AssertionError("read on after byte " + at + ", to " + source.position(), e);
      }
      return;
    }
    throw new AssertionError(
        String.format("accepted %s %s count=%d at=%d ^ 0x%02x", encoding, type, count, at, change));
  }

  @Test
  void aRefusedPrefixIsDescribedWithItsFacts() {
    byte[] prefix = prefix(Encoding.JAVA_OBJECT, ElementType.FLOAT, 5);
    ByteBuffer source = ByteBuffer.wrap(prefix);

    ProtocolException e =
        catchThrowableOfType(
            ProtocolException.class,
            () -> Encoding.JAVA_OBJECT.checkPrefix(ElementType.FLOAT, 6, source));

    assertThat(e.code()).isEqualTo(ErrorCode.MALFORMED_PAYLOAD);
    assertThat(e)
        .hasMessageContaining(
            "(encoding=java-object, type=float, count=6, at=26, expected=0x06, actual=0x05)");
  }

  @Test
  void aSerializedArrayOfAnotherTypeIsRefused() {
    for (ElementType declared : ElementType.values()) {
      for (ElementType actual : ElementType.values()) {
        if (actual != declared && actual.isPrimitive() && declared.isPrimitive()) {
          ByteBuffer source = ByteBuffer.wrap(prefix(Encoding.JAVA_OBJECT, actual, 1));
          assertThatThrownBy(() -> Encoding.JAVA_OBJECT.checkPrefix(declared, 1, source))
              .isInstanceOf(ProtocolException.class)
              .matches(ErrorCode.MALFORMED_PAYLOAD::isOf);
        }
      }
    }
  }

  /** No class is ever resolved: the bytes are compared with what a float array must begin with. */
  @ParameterizedTest
  @MethodSource("otherObjects")
  void anyOtherSerializedObjectIsRefused(Serializable object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
      stream.writeObject(object);
    }
    byte[] payload = Arrays.copyOf(bytes.toByteArray(), Math.max(bytes.size(), 27));

    for (int count : COUNTS) {
      assertThatThrownBy(() ->
              Encoding.JAVA_OBJECT.checkPrefix(ElementType.FLOAT, count, ByteBuffer.wrap(payload)))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.MALFORMED_PAYLOAD::isOf);
    }
  }

  static List<Arguments> otherObjects() {
    return List.of(
        arguments("text"),
        arguments(new HashMap<>(Map.of("key", "value"))),
        arguments((Object) new float[][] {{1}}),
        arguments((Object) new Float[] {1f}),
        arguments((Object) new Object[] {new float[1]}),
        arguments(Thread.State.NEW),
        arguments(1f));
  }

  @Test
  void aSerializedArrayOfNegativeLengthIsRefused() {
    byte[] prefix = prefix(Encoding.JAVA_OBJECT, ElementType.FLOAT, 0);
    for (int declared : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE - 8}) {
      ByteBuffer source = ByteBuffer.wrap(prefix).putInt(23, declared);
      assertThatThrownBy(() -> Encoding.JAVA_OBJECT.checkPrefix(ElementType.FLOAT, 0, source))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.MALFORMED_PAYLOAD::isOf)
          .hasMessageContaining("at=23");
    }
  }

  @Test
  void aPrefixNeverExceedsItsLimit() {
    for (Encoding encoding : STANDARD) {
      for (ElementType type : ElementType.values()) {
        for (int count : encoding.supports(type) ? COUNTS : new int[0]) {
          assertThat(encoding.prefixBytes(type, count))
              .isLessThanOrEqualTo(Encoding.MAX_PREFIX_BYTES);
        }
      }
    }
  }

  @Test
  void aPrefixDoesNotDependOnTheOrderOfTheBuffer() {
    for (Encoding encoding : List.of(Encoding.JAVA_OBJECT, Encoding.PROTOBUF)) {
      byte[] expected = prefix(encoding, ElementType.FLOAT, 1000);
      ByteBuffer target = ByteBuffer.allocate(expected.length).order(ByteOrder.LITTLE_ENDIAN);
      encoding.putPrefix(ElementType.FLOAT, 1000, target);

      assertThat(target.array()).isEqualTo(expected);
    }
  }

  @Test
  void sizesAreCountedInLongs() {
    assertThat(Encoding.RAW_BIG_ENDIAN.encodedBytes(ElementType.FLOAT, 1 << 30))
        .isEqualTo(1L << 32);
    assertThat(Encoding.JAVA_OBJECT.encodedBytes(ElementType.LONG, Integer.MAX_VALUE))
        .isEqualTo(27 + 8L * Integer.MAX_VALUE);
    assertThat(Encoding.PROTOBUF.encodedBytes(ElementType.DOUBLE, Integer.MAX_VALUE))
        .isEqualTo(6 + 8L * Integer.MAX_VALUE);
  }

  @Test
  void aCustomEncodingSaysWhatItWasGiven() {
    Encoding custom =
        Encoding.custom(
            200, "upper-half", ByteOrder.LITTLE_ENDIAN, type -> type == ElementType.FLOAT ? 2 : 0);

    assertThat(custom.code()).isEqualTo(200);
    assertThat(custom).hasToString("upper-half");
    assertThat(custom.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
    assertThat(custom.hasPlainElements()).isFalse();
    assertThat(custom.supports(ElementType.FLOAT)).isTrue();
    assertThat(custom.supports(ElementType.INT)).isFalse();
    assertThat(custom.encodedBytes(ElementType.FLOAT, 3)).isEqualTo(6);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1, 127, 256, Integer.MAX_VALUE})
  void aCustomEncodingHasACodeOfItsOwnRange(int code) {
    assertThatThrownBy(() -> Encoding.custom(code, "x", ByteOrder.BIG_ENDIAN, type -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(code=" + code + ")");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 17})
  void aCustomEncodingHasElementsOfASaneSize(int bytes) {
    assertThatThrownBy(() -> Encoding.custom(128, "x", ByteOrder.BIG_ENDIAN, type -> bytes))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(type=float, bytes=" + bytes + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  ", "raw-le", "raw-be", "java-object", "protobuf"})
  void aCustomEncodingHasANameOfItsOwn(String name) {
    assertThatThrownBy(() -> Encoding.custom(128, name, ByteOrder.BIG_ENDIAN, type -> 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("(name=" + name + ")");
  }

  @Test
  void aCustomEncodingsSizesAreAskedForOnce() {
    int[] size = {2};
    Encoding custom = Encoding.custom(128, "x", ByteOrder.BIG_ENDIAN, type -> size[0]);
    size[0] = 3;
    assertThat(custom.elementBytes(ElementType.INT)).isEqualTo(2);
  }

  @Test
  void customEncodingsMayUseTheWholeRange() {
    assertThat(Encoding.custom(128, "x", ByteOrder.BIG_ENDIAN, type -> 16).code()).isEqualTo(128);
    assertThat(Encoding.custom(255, "x", ByteOrder.BIG_ENDIAN, type -> 1).code()).isEqualTo(255);
  }

  @Test
  void encodingsAreEqualIfTheirCodesAre() {
    Encoding one = Encoding.custom(150, "one", ByteOrder.BIG_ENDIAN, type -> 1);
    Encoding same = Encoding.custom(150, "same", ByteOrder.LITTLE_ENDIAN, type -> 2);
    Encoding other = Encoding.custom(151, "one", ByteOrder.BIG_ENDIAN, type -> 1);

    assertThat(one).isEqualTo(same).hasSameHashCodeAs(same).isNotEqualTo(other);
    assertThat(new ArrayList<>(STANDARD)).doesNotHaveDuplicates();
  }

  private static byte[] prefix(Encoding encoding, ElementType type, int count) {
    ByteBuffer target = ByteBuffer.allocate(encoding.prefixBytes(type, count));
    encoding.putPrefix(type, count, target);
    assertThat(target.remaining()).as("prefixBytes and putPrefix agree").isZero();
    return target.array();
  }
}
