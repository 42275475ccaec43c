package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import io.arraywire.spi.HeapMemoryPool;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a sink of the user's costs while its array arrives. */
class WritingSinkTest {
  /** Counts what it is given. */
  private static final class Counting implements ArraySink, ElementWriter {
    private int largest;
    private long written;

    @Override
    public ElementType type() {
      return ElementType.DOUBLE;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      return this;
    }

    @Override
    public void write(long index, int count, ByteBuffer source) {
      largest = Math.max(largest, source.remaining());
      written += count;
      source.position(source.limit());
    }

    @Override
    public void finish() {}

    @Override
    public void close() {}
  }

  /** However large the array is: as docs/memory.md says. */
  @ParameterizedTest
  @ValueSource(ints = {1, 32_768, 32_769, 300_000})
  void aPieceIsNoLargerThanItsLimitAndItsArray(int count) {
    Counting counting = new Counting();
    HeapMemoryPool pool = HeapMemoryPool.create();
    WritingSink sink =
        (WritingSink)
            WritingSink.open(
                counting,
                ElementType.DOUBLE,
                count,
                StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN),
                new WritingSink.Host(pool, Runnable::run, failure -> {}));
    long left = (long) count * Double.BYTES;
    ByteBuffer first = sink.space(Long.MAX_VALUE);
    assertThat(first.remaining()).isEqualTo((int) Math.min(left, ArraySink.PIECE_BYTES));
    while (left > 0) {
      int some = (int) Math.min(left, sink.space(left).remaining());
      sink.advance(some);
      left -= some;
    }
    assertThat(sink.finish()).isNull();
    assertThat(counting.written).isEqualTo(count);
    assertThat(counting.largest).isLessThanOrEqualTo(ArraySink.PIECE_BYTES);
  }
}
