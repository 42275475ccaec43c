package io.arraywire.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemoryPipeTest {
  private static final int STEPS = 200_000;

  /** Each byte is the number of its place, so one that is lost, doubled or moved is found. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 64, 1000})
  void whatIsWrittenInPlaceAndOtherwiseIsReadInOrder(int capacity) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    MemoryPipe pipe = new MemoryPipe(capacity);
    byte written = 0;
    byte read = 0;
    int inPlace = 0;
    for (int step = 0; step < STEPS; step++) {
      int bytes = 1 + random.nextInt(capacity);
      switch (random.nextInt(3)) {
        case 0 -> {
          ByteBuffer source = numbered(ByteBuffer.allocate(bytes), written).flip();
          written += (byte) pipe.write(source);
        }
        case 1 -> {
          ByteBuffer space = pipe.space(bytes);
          if (space != null) {
            assertThat(space.remaining()).as("seed %d", seed).isGreaterThanOrEqualTo(bytes);
            ByteBuffer unused = numbered(space.limit(bytes), written);
            written += (byte) bytes;
            inPlace++;
            int first = random.nextInt(bytes + 1);
            pipe.commit(first);
            // In between, what is there may be read.
            read = readSome(pipe, random.nextInt(capacity + 1), read, seed);
            pipe.commit(bytes - first);
          }
        }
        default -> read = readSome(pipe, bytes, read, seed);
      }
      assertThat(pipe.available()).isBetween(0, capacity);
    }
    read = readSome(pipe, capacity, read, seed);
    assertThat(read).as("seed %d", seed).isEqualTo(written);
    assertThat(pipe.available()).isZero();
    assertThat(inPlace).isPositive();
    ByteBuffer whole = pipe.space(capacity);
    assertThat(whole).as("seed %d", seed).isNotNull();
    assertThat(pipe.space(capacity + 1)).isNull();
  }

  private static ByteBuffer numbered(ByteBuffer target, byte from) {
    for (byte next = from; target.hasRemaining(); next++) {
      target.put(next);
    }
    return target;
  }

  private static byte readSome(MemoryPipe pipe, int most, byte from, long seed) throws Exception {
    ByteBuffer target = ByteBuffer.allocate(most);
    int unused = pipe.read(target);
    target.flip();
    byte next = from;
    while (target.hasRemaining()) {
      byte came = target.get();
      // Millions of bytes: an assertion for each would be most of the time.
      if (came != next) {
        assertThat(came).as("seed %d", seed).isEqualTo(next);
      }
      next++;
    }
    return next;
  }
}
