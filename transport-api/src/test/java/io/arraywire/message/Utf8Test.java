package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is checked in place is what the JDK takes for UTF-8. */
class Utf8Test {
  private static final int[] EDGES = {
    0, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec,
    0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff
  };

  @Test
  void allShortSequencesOfEdges() {
    for (int a : EDGES) {
      for (int b : EDGES) {
        for (int c : EDGES) {
          for (int d : EDGES) {
            check((byte) a, (byte) b, (byte) c, (byte) d);
          }
          check((byte) a, (byte) b, (byte) c);
        }
        check((byte) a, (byte) b);
      }
      check((byte) a);
    }
    check();
  }

  private static void check(byte... bytes) {
    boolean right = isRight(bytes);
    assertThat(Utf8.isWellFormed(ByteBuffer.wrap(bytes), 0, bytes.length))
        .as("%s", HexFormat.of().formatHex(bytes))
        .isEqualTo(right);
    if (right) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      assertThat(Utf8.bytes(text)).isEqualTo(bytes.length);
      assertThat(Utf8.same(ByteBuffer.wrap(bytes), 0, bytes.length, text)).isTrue();
      assertThat(Utf8.same(ByteBuffer.wrap(bytes), 0, bytes.length, text + "x")).isFalse();
      assertThat(Utf8.same(ByteBuffer.wrap(bytes), 0, bytes.length, "x" + text)).isFalse();
      assertThat(Utf8.text(ByteBuffer.wrap(bytes), 0, bytes.length)).isEqualTo(text);
    }
  }

  private static boolean isRight(byte[] bytes) {
    try {
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  @Test
  void halfOfAPairIsNoText() {
    assertThat(Utf8.bytes("\ud835")).isEqualTo(-1);
    assertThat(Utf8.bytes("\udefc")).isEqualTo(-1);
    assertThat(Utf8.bytes("a\udefc\ud835")).isEqualTo(-1);
    assertThat(Utf8.bytes("\ud835\udefc")).isEqualTo(4);
  }

  @Test
  void theOrderIsThatOfUnsignedBytes() {
    Random random = new Random(1);
    for (int i = 0; i < 10_000; i++) {
      byte[] bytes = new byte[12];
      random.nextBytes(bytes);
      int length = random.nextInt(7);
      int other = random.nextInt(7);
      System.arraycopy(bytes, 0, bytes, 6, random.nextInt(6));
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      int expected = Arrays.compareUnsigned(bytes, 0, length, bytes, 6, 6 + other);
      assertThat(Integer.signum(Utf8.compare(buffer, 0, length, 6, other)))
          .isEqualTo(Integer.signum(expected));
    }
  }
}
