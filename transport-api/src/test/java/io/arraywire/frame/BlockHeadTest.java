package io.arraywire.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockHeadTest {
  private static final int RAW = 1 << 31;

  @Test
  void aHeadIsTwoLittleEndianWords() {
    ByteBuffer target = ByteBuffer.allocate(12).order(ByteOrder.BIG_ENDIAN);
    BlockHead.put(target, 2, 0x0102, 0x0304, true);
    assertThat(target.array())
        .containsExactly(new byte[] {0, 0, 2, 1, 0, (byte) 0x80, 4, 3, 0, 0, 0, 0});
    target.order(ByteOrder.BIG_ENDIAN);
    int word = BlockHead.word(target, 2);
    assertThat(BlockHead.isRaw(word)).isTrue();
    assertThat(BlockHead.bytes(word)).isEqualTo(0x0102);
    target.order(ByteOrder.BIG_ENDIAN);
    assertThat(BlockHead.elements(target, 2)).isEqualTo(0x0304);
    assertThat(target.position()).isZero();
  }

  @Test
  void elementsAreUnsigned() {
    ByteBuffer target = ByteBuffer.allocate(8);
    BlockHead.put(target, 0, 1, -1, false);
    assertThat(BlockHead.elements(target, 0)).isEqualTo(0xffffffffL);
    assertThat(BlockHead.isRaw(BlockHead.word(target, 0))).isFalse();
  }

  @Test
  void aBlockHas64KiBOfElements() {
    assertThat(BlockHead.mostElements(1)).isEqualTo(65_536);
    assertThat(BlockHead.mostElements(8)).isEqualTo(8_192);
    assertThat(BlockHead.mostBytes(Integer.MAX_VALUE, 8)).isEqualTo(Integer.MAX_VALUE * 16L);
  }

  @Test
  void aHeadNeedsAByteBehindIt() throws ProtocolException {
    BlockHead.checkRoom(9);
    assertThatThrownBy(() -> BlockHead.checkRoom(8))
        .matches(ErrorCode.BAD_LENGTH::isOf)
        .hasMessageContaining("bytes=8");
  }

  @ParameterizedTest
  @CsvSource({"1, false", "15, false", "16, true"})
  void whatMayStandInAHead(int bytes, boolean raw) throws ProtocolException {
    BlockHead.check(raw ? bytes | RAW : bytes, 4, 4, 4, 16);
  }

  @ParameterizedTest
  @CsvSource({
    "8, false, 0, 16, BAD_LENGTH", // no elements
    "8, false, 5, 16, BAD_LENGTH", // more than may follow
    "0, false, 4, 16, BAD_LENGTH", // no bytes
    "0, true, 4, 16, BAD_LENGTH",
    "13, false, 4, 12, BAD_LENGTH", // more than the frame
    "16, false, 4, 16, COUNT_MISMATCH", // encoded, and no smaller
    "15, true, 4, 16, COUNT_MISMATCH", // raw, and of another length
    "17, true, 4, 17, COUNT_MISMATCH"
  })
  void whatMayNot(int bytes, boolean raw, long elements, long room, ErrorCode code) {
    assertThatThrownBy(() -> BlockHead.check(raw ? bytes | RAW : bytes, elements, 4, 4, room))
        .isInstanceOf(ProtocolException.class)
        .matches(code::isOf);
  }
}
