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

  private static long[] shape(long count, long dimension) throws ProtocolException {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.elementType = 1;
    header.count = count;
    header.arrayBytes = count;
    ByteBuffer section = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    section.putShort((short) MessageLayout.SHAPE).putShort((short) 1).putInt(16).putLong(dimension);
    return FrameAttributes.read(header, section.array(), NONE).shape();
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
}
