package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows 4 and 5: lengths that contradict each other are refused before memory is taken. */
class EngineLengthsTest {
  private static final int ALLOCATION_LIMIT = 64 << 10;

  /** Less than the limit for arrays, and far more than what a refusal may take. */
  private static final int DECLARED_BYTES = 8 << 20;

  private static EngineBench bench() {
    return EngineBench.acceptor(
            EngineBench.options().checksums(Checksums.UNWANTED).maxArrayBytes(16 << 20))
        .open();
  }

  /** A first frame that has elements, as one that is right would. */
  private static RawFrame frame(ElementType type, long count, long arrayBytes) {
    return RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN.code(),
            type.code(),
            1,
            count,
            new byte[64 - 64 % type.bytes()])
        .with(header -> header.arrayBytes = arrayBytes);
  }

  @ParameterizedTest
  @EnumSource
  void aLengthThatIsNoMultipleTakesNoMemory(ElementType type) throws Exception {
    long count = DECLARED_BYTES / type.bytes();
    if (type.bytes() > 1) {
      assertRefusedWithoutMemory(frame(type, count, DECLARED_BYTES + 1));
      assertRefusedWithoutMemory(frame(type, count, DECLARED_BYTES - 1));
    }
    assertRefusedWithoutMemory(frame(type, count, DECLARED_BYTES + type.bytes()));
    assertRefusedWithoutMemory(frame(type, count - 1, DECLARED_BYTES));
  }

  /** An array that is right, and as large, does take more: what is measured is there. */
  @Test
  void anArrayThatIsRightTakesMemory() throws Exception {
    byte[] payload = new byte[DECLARED_BYTES / 8];
    RawFrame frame =
        RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN.code(), ElementType.BYTE.code(), 1, payload.length, payload);
    long own = AllocationMeter.bytesPerRun(EngineLengthsTest::bench);
    long all = AllocationMeter.bytesPerRun(() -> bench().feed(frame));
    assertThat(all - own).isGreaterThan(payload.length);
  }

  private static void assertRefusedWithoutMemory(RawFrame frame) throws Exception {
    EngineBench bench = bench();
    long before = bench.memory.acquiredEver();
    // What the error frame needs is taken when it is written.
    bench.writable = 0;
    bench.feed(frame);
    assertThat(bench.memory.acquiredEver() - before).as("taken of the pool").isZero();
    bench.writable = Long.MAX_VALUE;
    bench.pump();
    assertThat(bench.error(ErrorCode.COUNT_MISMATCH)).contains("count=");
    bench.end();
    bench.assertFailed(ErrorCode.COUNT_MISMATCH);
    long own = AllocationMeter.bytesPerRun(EngineLengthsTest::bench);
    long all = AllocationMeter.bytesPerRun(() -> bench().feed(frame));
    assertThat(all - own).as("bytes of heap for a refusal").isLessThan(ALLOCATION_LIMIT);
  }
}
