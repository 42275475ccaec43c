package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryOptions;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A channel with memory of its own has output encoded there. */
class OutputInPlaceTest {
  private final StagingCount pool = new StagingCount();

  @Test
  void aRingWithRoomHasOutputEncodedInItAndNoStagingMemoryIsTaken() throws Exception {
    assertThat(stagingTaken(8 << 20)).isZero();
  }

  /** What the other test would see if output went through staging memory. */
  @Test
  void aRingThatIsTooSmallHasOutputCopiedFromStagingMemory() throws Exception {
    assertThat(stagingTaken(1 << 10)).isPositive();
  }

  private int stagingTaken(int pipeBytes) throws Exception {
    Queue<int[]> received = new ConcurrentLinkedQueue<>();
    try (Transport transport =
            InMemoryTransport.create(
                TransportOptions.builder().memoryPool(pool).build(),
                MemoryOptions.defaults().threads(2).pipeBytes(pipeBytes));
        Listener listener =
            transport.listen(MemoryAddress.free(), (from, array) -> received.add(array.ints()));
        Connection connection = transport.connect(listener.address())) {
      for (int length : new int[] {0, 1, 16, 5_000, 1_000_000, 3}) {
        int[] sent = new int[length];
        for (int i = 0; i < length; i++) {
          sent[i] = 31 * i + length;
        }
        connection.send(ArraySlice.of(sent), SendOptions.processed());
        assertThat(received.remove()).isEqualTo(sent);
      }
    }
    return pool.staging.get();
  }

  /** Counts what writing threads take; what they take is for staging. */
  private static final class StagingCount implements MemoryPool {
    final MemoryPool pool = HeapMemoryPool.create();
    final AtomicInteger staging = new AtomicInteger();

    @Override
    public PooledMemory acquire(int bytes, MemoryKind kind) {
      if (Thread.currentThread().getName().endsWith("-write")) {
        staging.incrementAndGet();
      }
      return pool.acquire(bytes, kind);
    }

    @Override
    public long acquiredBytes() {
      return pool.acquiredBytes();
    }

    @Override
    public void close() {
      pool.close();
    }
  }
}
