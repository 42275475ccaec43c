package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Runs the compressions of an engine beside what it sends, so that the JVM compiles them. Code that
 * has not run yet encodes up to twenty times as slowly, and connections would judge it by that.
 * Once for each type of elements, with the elements of a block that is sent. Any thread.
 */
final class CodecWarmUp {
  /** So often each codec encodes the block at least. Its loops go over the block several times. */
  private static final int LEAST_RUNS = 40;

  /** Runs that are no faster than the best before them: the compiler has nothing left to do. */
  private static final int RUNS_WITHOUT_GAIN = 20;

  /** On a processor that has much else to do, too. */
  private static final long MOST_NANOS = 2_000_000_000L;

  private static final double FASTER = 0.9;

  private final Consumer<Runnable> starter;
  private final LongSupplier clock;
  private final Set<ElementType> begun = ConcurrentHashMap.newKeySet();
  private final AtomicInteger done = new AtomicInteger();

  /**
   * Makes one for an engine.
   *
   * @param starter runs a task on a thread of its own
   * @param clock nanoseconds
   */
  CodecWarmUp(Consumer<Runnable> starter, LongSupplier clock) {
    this.starter = starter;
    this.clock = clock;
  }

  /** How many types of elements are warm. */
  int done() {
    return done.get();
  }

  /** Begins with a block's type, if nobody has. */
  void begin(List<Codec> codecs, BlockElements block) {
    ElementType type = block.type;
    if (!begun.add(type)) {
      return;
    }
    // The array is its owner's when the block is sent.
    int count = block.count;
    Object elements = type.newArray(count);
    System.arraycopy(block.array, block.index, elements, 0, count);
    try {
      starter.accept(() -> run(codecs, type, elements, count));
    } catch (OutOfMemoryError e) {
      // There is no thread for it. The attempts of the connections make codecs warm, later.
      begun.remove(type);
    }
  }

  private void run(List<Codec> codecs, ElementType type, Object elements, int count) {
    BlockElements block = new BlockElements();
    ByteBuffer room = ByteBuffer.allocate(count * type.bytes());
    for (Codec codec : codecs) {
      block.begin(0, codec, type, count);
      block.at(elements, 0);
      warm(block, room);
    }
    done.incrementAndGet();
  }

  private void warm(BlockElements block, ByteBuffer room) {
    long first = clock.getAsLong();
    long best = Long.MAX_VALUE;
    int withoutGain = 0;
    for (int i = 0; i < LEAST_RUNS || withoutGain < RUNS_WITHOUT_GAIN; i++) {
      long began = clock.getAsLong();
      boolean unused = CheckedCodec.encodeBlock(block.codec(), block, room.clear());
      long now = clock.getAsLong();
      withoutGain = now - began < FASTER * best ? 0 : withoutGain + 1;
      best = Math.min(best, now - began);
      if (now - first > MOST_NANOS) {
        return;
      }
    }
  }
}
