package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import io.arraywire.message.MessageOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Array messages are the bytes that {@code make_message_golden.py} wrote by {@code
 * docs/array-message.md}.
 */
class GoldenMessageTest {
  private static final Map<String, Message> MESSAGES = messages();

  private static Map<String, Message> messages() {
    Map<String, Message> all = new LinkedHashMap<>();
    all.put("one", Message.of(new float[] {1, -2.5f, 0.1f}));
    all.put(
        "one-shape",
        Message.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3)
            .tag(7)
            .attribute("unit", "K")
            .attribute("note", ""));
    Message scores =
        Message.of("ids", new int[] {7, 42, 5}).with("scores", new float[] {0.5f, 0.25f, -1});
    all.put(
        "parts",
        scores
            .tag(1)
            .attribute("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    all.put("parts-big-endian", scores);
    all.put("named", Message.rows("table", new short[][] {{1, 2}, {3, 4}, {5, 6}}));
    all.put(
        "names",
        Message.of(new byte[] {1})
            .with("größe", new byte[] {2})
            .with("\ud835\udefc", new byte[0])
            .with("12345678", new byte[] {3}));
    all.put("empty", Message.of(new double[0]));
    all.put("zero-dimension", Message.of(new long[0], 1L << 62, 0, 1L << 62));
    all.put(
        "types",
        Message.of(
                "float",
                new float[] {
                  1,
                  -0.0f,
                  Float.MIN_VALUE,
                  Float.intBitsToFloat(0x7fc12345),
                  Float.intBitsToFloat(0xffa00001)
                })
            .with("int", new int[] {1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 0x01020304})
            .with(
                "double",
                new double[] {
                  1,
                  -0.0,
                  Double.MIN_VALUE,
                  Double.longBitsToDouble(0x7ff8000000012345L),
                  Double.longBitsToDouble(0xfff4000000000001L)
                })
            .with("long", new long[] {1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x0102030405060708L})
            .with("short", new short[] {1, -1, Short.MIN_VALUE, Short.MAX_VALUE, 0x0102})
            .with("char", new char[] {'A', 0, 0xffff, 0xd800, 0x0102})
            .with("byte", new byte[] {1, -1, Byte.MIN_VALUE, Byte.MAX_VALUE, 0x55})
            .with("boolean", new boolean[] {true, false, true, true, false})
            .tag(-1));
    Message carried = null;
    for (ElementType type : ElementType.values()) {
      if (!type.isPrimitive()) {
        ArraySlice five = ArraySlice.ofArray(GoldenArrays.array(type, 5)).as(type);
        String name = type.typeName();
        carried = carried == null ? Message.of(name, five) : carried.with(name, five);
      }
    }
    all.put("types-carried", Objects.requireNonNull(carried));
    return all;
  }

  static Stream<String> names() {
    return MESSAGES.keySet().stream();
  }

  private static MessageOptions options(String name) {
    return name.equals("parts-big-endian")
        ? MessageOptions.defaults().encoding(Encoding.RAW_BIG_ENDIAN).checksum(false)
        : MessageOptions.defaults();
  }

  private static byte[] golden(String name) throws IOException {
    String file = "golden/message-v2/" + name + ".bin";
    try (InputStream in = GoldenMessageTest.class.getResourceAsStream(file)) {
      assertThat(in).as(file).isNotNull();
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @MethodSource("names")
  void isWrittenSo(String name) throws IOException {
    assertThat(ArrayMessage.encode(MESSAGES.get(name), options(name)))
        .asHexString()
        .isEqualTo(HexFormat.of().withUpperCase().formatHex(golden(name)));
  }

  @ParameterizedTest
  @MethodSource("names")
  void isReadSo(String name) throws IOException {
    Message read = ArrayMessage.decode(golden(name), Limits.ofBytes(1000));
    Message expected = MESSAGES.get(name);

    assertThat(read).hasToString(expected.toString());
    assertThat(read.tag()).isEqualTo(expected.tag());
    assertThat(read.attributes()).isEqualTo(expected.attributes());
    assertThat(ArrayMessage.encode(read)).isEqualTo(ArrayMessage.encode(expected));
  }
}
