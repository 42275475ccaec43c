package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What leaves and comes in portions that a socket might take. */
class OutgoingArrayTest {
  private static final int COUNT = 50;

  private final float[] source = Elements.random(COUNT);
  private final float[] target = new float[COUNT];
  private final OutgoingArray outgoing = new OutgoingArray(source);
  private final IncomingArray incoming = new IncomingArray(target);

  /** Holds neither the array nor a whole number of portions. */
  private final ByteBuffer chunk = chunk(64);

  private static ByteBuffer chunk(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 11, 64})
  void bytesInAnyPortionsMakeTheArray(int portion) {
    for (int count : new int[] {COUNT, 1, 16}) {
      Elements.spoil(target);
      move(count, portion);
      assertThat(Elements.checksum(target, count)).isEqualTo(Elements.checksum(source, count));
    }
  }

  private void move(int count, int portion) {
    ByteBuffer there = chunk(128);
    outgoing.begin(count);
    boolean whole = false;
    while (outgoing.hasRemaining()) {
      assertThat(whole).isFalse();
      outgoing.stage(chunk);
      int some = Math.min(portion, chunk.remaining());
      chunk.limit(chunk.position() + some);
      outgoing.wrote(some);
      incoming.stage(there);
      whole = incoming.take(there.put(chunk).flip());
    }
    assertThat(whole).isTrue();
  }
}
