package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class NettyMemoryPoolTest {
  private static final int SMALL = NettyMemoryPool.MOST_SMALL_BYTES;

  private final NettyMemoryPool pool = new NettyMemoryPool();

  static Stream<Arguments> kept() {
    return Stream.of(MemoryKind.values())
        .flatMap(kind ->
            IntStream.of(
                    NettyMemoryPool.LEAST_KEPT_BYTES,
                    SMALL,
                    NettyMemoryPool.LEAST_LARGE_BYTES,
                    EventLoop.WINDOW_BYTES,
                    NettyMemoryPool.MOST_LARGE_BYTES)
                .mapToObj(bytes -> arguments(bytes, kind)));
  }

  /** The buffer of a piece that somebody had. */
  private ByteBuffer released(int bytes, MemoryKind kind) {
    return released(bytes, kind, buffer -> {});
  }

  private ByteBuffer released(int bytes, MemoryKind kind, Consumer<ByteBuffer> use) {
    PooledMemory memory = pool.acquire(bytes, kind);
    ByteBuffer buffer = memory.buffer();
    use.accept(buffer);
    memory.release();
    return buffer;
  }

  @ParameterizedTest
  @MethodSource("kept")
  void aKeptPieceComesBackAsIfItWereNew(int bytes, MemoryKind kind) {
    ByteBuffer buffer =
        released(bytes, kind, used -> used.order(ByteOrder.LITTLE_ENDIAN).position(7).limit(9));
    PooledMemory second = pool.acquire(bytes, kind);
    assertThat(second.buffer()).isSameAs(buffer);
    assertThat(buffer.order()).isEqualTo(ByteOrder.BIG_ENDIAN);
    assertThat(buffer.position()).isZero();
    assertThat(buffer.remaining()).isEqualTo(bytes);
    assertThat(buffer.isDirect()).isEqualTo(kind == MemoryKind.DIRECT);
    assertThat(pool.acquiredBytes()).isEqualTo(bytes);
    second.release();
    pool.close();
  }

  @Test
  void anOldHolderOfAPieceCannotReleaseItOrUseIt() {
    PooledMemory first = pool.acquire(SMALL, MemoryKind.DIRECT);
    first.release();
    PooledMemory second = pool.acquire(SMALL, MemoryKind.DIRECT);
    assertThatThrownBy(first::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memory released twice");
    assertThatThrownBy(first::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("memory used after its release");
    assertThat(pool.acquiredBytes()).isEqualTo(SMALL);
    second.release();
    pool.close();
  }

  @Test
  void aPieceOfAnotherSizeOrKindIsAnotherPiece() {
    ByteBuffer buffer = released(SMALL, MemoryKind.DIRECT);
    PooledMemory heap = pool.acquire(SMALL, MemoryKind.HEAP);
    PooledMemory smaller = pool.acquire(SMALL - 1, MemoryKind.DIRECT);
    assertThat(heap.buffer()).isNotSameAs(buffer);
    assertThat(heap.buffer().isDirect()).isFalse();
    assertThat(smaller.buffer()).isNotSameAs(buffer);
    assertThat(smaller.buffer().capacity()).isEqualTo(SMALL - 1);
    heap.release();
    smaller.release();
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        NettyMemoryPool.MOST_SMALL_BYTES + 1,
        NettyMemoryPool.LEAST_LARGE_BYTES - 1,
        NettyMemoryPool.MOST_LARGE_BYTES + 1
      })
  void othersAreNotKept(int bytes) {
    ByteBuffer buffer = released(bytes, MemoryKind.DIRECT);
    PooledMemory second = pool.acquire(bytes, MemoryKind.DIRECT);
    assertThat(second.buffer()).isNotSameAs(buffer);
    second.release();
    pool.close();
  }

  /** However many there were, and of sizes that nobody wants again. */
  @ParameterizedTest
  @CsvSource({
    NettyMemoryPool.LEAST_KEPT_BYTES + ", " + NettyMemoryPool.MOST_SMALL_BYTES,
    NettyMemoryPool.LEAST_LARGE_BYTES + ", " + NettyMemoryPool.MOST_LARGE_BYTES
  })
  void theSizesOfTodayTakeThePlaceOfThoseOfYesterday(int yesterday, int today) {
    PooledMemory[] all = new PooledMemory[2 * NettyMemoryPool.MOST_SMALL_KEPT];
    for (int i = 0; i < all.length; i++) {
      all[i] = pool.acquire(yesterday, MemoryKind.DIRECT);
    }
    for (PooledMemory memory : all) {
      memory.release();
    }
    ByteBuffer buffer = released(today, MemoryKind.DIRECT);
    PooledMemory second = pool.acquire(today, MemoryKind.DIRECT);
    assertThat(second.buffer()).isSameAs(buffer);
    second.release();
    assertThat(pool.acquiredBytes()).isZero();
    pool.close();
  }

  @Test
  void aClosedPoolKeepsNothing() {
    PooledMemory late = pool.acquire(SMALL, MemoryKind.DIRECT);
    ByteBuffer buffer = late.buffer();
    assertThatThrownBy(pool::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("acquiredBytes=" + SMALL);
    late.release();
    PooledMemory another = pool.acquire(SMALL, MemoryKind.DIRECT);
    assertThat(another.buffer()).isNotSameAs(buffer);
    another.release();
    pool.close();
  }
}
