package io.arraywire.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shapes of arrays that no Java array can hold, which sinks take. */
class FrameAttributesTest {
  private static final FrameAttributes.Sections NONE =
      (kind, entries, bytes, from, end) -> {
        throw new AssertionError("no section of a connection");
      };

  private static long[] shape(long count, long... dimensions) throws ProtocolException {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.elementType = 1;
    header.count = count;
    header.arrayBytes = count;
    int bytes = 8 + 8 * dimensions.length;
    ByteBuffer section = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    section.putShort((short) MessageLayout.SHAPE).putShort((short) dimensions.length).putInt(bytes);
    for (long dimension : dimensions) {
      section.putLong(dimension);
    }
    return FrameAttributes.read(header, section.array(), code -> null, NONE).shape();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, Integer.MAX_VALUE, (1L << 31) + 5, (1L << 32) + 5, 147_051_110_400L})
  void aShapeIsComparedWithTheWholeCount(long count) throws Exception {
    assertThat(shape(count, count)).containsExactly(count);
    for (long other : new long[] {count + 1, (int) count, count + (1L << 32)}) {
      if (other >= 0 && other != count) {
        assertThatThrownBy(() -> shape(count, other))
            .as("%s for %s", other, count)
            .isInstanceOf(ProtocolException.class)
            .matches(ErrorCode.COUNT_MISMATCH::isOf);
      }
    }
  }

  @Test
  void aCountThatIsNotKnownFitsEveryShape() throws Exception {
    assertThat(shape(-1, 7)).containsExactly(7);
  }

  /** 2^64 and 2^64 + 1 elements, which are 0 and 1 in 64 bits. */
  @Test
  void aProductThatOverflowsIsNoCount() {
    for (long[] shape : new long[][] {{1L << 32, 1L << 32}, {274_177, 67_280_421_310_721L}}) {
      for (long count : new long[] {0, 1, 274_177}) {
        assertThatThrownBy(() -> shape(count, shape))
            .as("%s", count)
            .matches(ErrorCode.COUNT_MISMATCH::isOf);
      }
    }
  }

  @Test
  void aDimensionOfNothingHoldsNothing() throws Exception {
    assertThat(shape(0, 0)).containsExactly(0);
    assertThat(shape(0, 1L << 62, 1L << 62, 0)).containsExactly(1L << 62, 1L << 62, 0);
    assertThatThrownBy(() -> shape(5, 5, 0)).matches(ErrorCode.COUNT_MISMATCH::isOf);
  }

  @Test
  void noDimensionIsNegative() {
    for (long count : new long[] {-1, 0, 1, 6}) {
      assertThatThrownBy(() -> shape(count, -2, -3))
          .as("%s", count)
          .matches(ErrorCode.MALFORMED_PAYLOAD::isOf);
    }
  }
}
