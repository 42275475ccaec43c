package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.codec.CompressionReason;
import io.arraywire.frame.BlockHead;
import io.arraywire.spi.Codec;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Chooses, while a connection sends, whether blocks are compressed: if their elements arrive sooner
 * so. It tries blocks, and compares two rates. One is the rate at which the link takes bytes. The
 * other is the smaller one of the rate of encoding and the ratio of plain to encoded bytes times
 * the rate of the link. It cannot measure how fast the peer decodes. If elements arrive more slowly
 * than raw ones did, the peer decodes slowly: it goes back to raw ones, each time for longer.
 *
 * <p>Nothing is known of a new link. Until it has held up the sender, only a large array travels in
 * blocks, which are raw then. Over a link that is faster than any compression, arrays travel
 * without blocks.
 *
 * <p>{@link #codec} and {@link #describe} are for any thread, all else is the writing thread's.
 */
final class BlockChoice {
  /** What is smaller is over before anything is known of it. */
  static final long LEAST_ARRAY_BYTES = 64 << 10;

  /** From here on an array is worth blocks before the link is known. */
  static final long LARGE_ARRAY_BYTES = 8 << 20;

  /** So much of blocks that no link held up: it is not the link that is slow. */
  static final long UNHINDERED_BYTES = 64 << 20;

  /** 4 Gbit/s: no codec is worth it beyond. */
  static final double FAST = 500e6;

  /** The gain from which on blocks are compressed, and below which they no longer are. */
  private static final double GAIN = 1.1;

  private static final double LEAST_GAIN = 1.03;

  /** Of the rate of raw blocks: what arrives below that is a loss. */
  private static final double LOSS = 0.95;

  private static final int LOSSES_IN_A_ROW = 3;
  private static final int GAINS_IN_A_ROW = 20;

  private static final long FIRST_PAUSE_NANOS = 200_000_000L;
  private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

  /** While all is compressed, the link is asked again by raw blocks: how often, and how long. */
  private static final long FIRST_PROBE_NANOS = 2_000_000_000L;

  private static final long LAST_PROBE_NANOS = 16_000_000_000L;
  private static final long PROBE_NANOS = 250_000_000L;
  private static final long PROBE_BYTES = 8 << 20;

  private static final double NANOS = 1e9;

  private final List<Codec> codecs;
  private final LongSupplier clock;
  private final CodecWarmUp warmUp;
  private final LinkRate link = new LinkRate();
  private final Map<Integer, BlockSamples> sampled = new ConcurrentHashMap<>();

  /** For attempts; none before there is one. */
  private @Nullable ByteBuffer spare;

  // For any thread.

  /** Bytes that the link takes in a second; 0 where that is not known. */
  private volatile double linkRate;

  private volatile boolean unhindered;
  private final BlockCounts counts = new BlockCounts();
  private volatile int losses;
  private volatile @Nullable BlockVerdict verdict;

  // The writing thread's.

  /** How much of the warm-up was done when codecs were tried last. */
  private int warm;

  private CompressionReason reason = CompressionReason.LINK_UNKNOWN;

  /** The same, as raw blocks have it alone: what compressed ones are compared with. */
  private double rawRate;

  // Of the measurement that is going on:

  /** Bytes of raw blocks since the link was last seen to hold up the sender. */
  private long sinceFull;

  private long madePlain;
  private long madeWire;
  private boolean madeCompressed;

  /** Whether the one before had compressed blocks, which may still be among what is written. */
  private boolean compressedBefore;

  private int badInARow;
  private int goodInARow;
  private long pause = FIRST_PAUSE_NANOS;
  private volatile boolean paused;
  private long pausedUntil;

  /** When the link was asked last, and since when it is; 0 if it is not. */
  private long knownAt;

  private long probeEvery = FIRST_PROBE_NANOS;
  private long probeBegan;
  private long probeBytes;

  /**
   * Makes one for a connection.
   *
   * @param codecs lossless ones in blocks, at least one
   * @param clock nanoseconds
   * @param warmUp of all connections
   */
  BlockChoice(List<Codec> codecs, LongSupplier clock, CodecWarmUp warmUp) {
    this.codecs = List.copyOf(codecs);
    this.clock = clock;
    this.warmUp = warmUp;
  }

  /** The codec for elements that nobody names one for; null where they travel without blocks. */
  @Nullable Codec codec(int figures, ElementType type, long bytes) {
    double rate = linkRate;
    if (rate == 0 ? unhindered || bytes < LARGE_ARRAY_BYTES : rate > FAST) {
      return null;
    }
    if (bytes < LEAST_ARRAY_BYTES) {
      return null;
    }
    BlockSamples samples = sampled.get(figures);
    Codec codec = codecs.get(samples == null ? 0 : samples.best);
    return codec.encoding().supports(type) ? codec : null;
  }

  /**
   * Whether a block is to be handed to {@link #encode}: it may be compressed, or codecs are to be
   * tried on it. Otherwise it travels raw, and is counted. Its elements need not be there.
   */
  boolean considers(BlockElements block) {
    BlockSamples samples = samples(block.figures);
    reason = CompressionReason.LINK_UNKNOWN;
    if (linkRate > 0) {
      if (samples.isDue() || compresses(samples, codecs.indexOf(block.codec()))) {
        return true;
      }
      samples.passed();
    }
    made(block.plainBytes(), block.plainBytes());
    return false;
  }

  /** Whether codecs are to be tried on the next block of a channel. */
  boolean triesNext(int figures) {
    return samples(figures).isDue();
  }

  /** Encodes a block if that is to pay; returns whether it did. Nothing is written otherwise. */
  boolean encode(BlockElements block, ByteBuffer space) {
    BlockSamples samples = samples(block.figures);
    int plain = block.plainBytes();
    boolean encoded = false;
    int from = space.position();
    if (linkRate > 0) {
      if (samples.isDue()) {
        tryAll(samples, block);
      } else {
        samples.passed();
      }
      if (compresses(samples, codecs.indexOf(block.codec()))) {
        encoded = compress(block, space);
      }
    }
    made(plain, encoded ? space.position() - from : plain);
    return encoded;
  }

  /** Encodes a block in any case, if that makes it smaller, and notes what came of it. */
  boolean compress(BlockElements block, ByteBuffer space) {
    int plain = block.plainBytes();
    int from = space.position();
    long began = now();
    boolean encoded = CheckedCodec.encodeBlock(block.codec(), block, space);
    int bytes = encoded ? space.position() - from : plain;
    int codec = codecs.indexOf(block.codec());
    boolean unused = samples(block.figures).encoded(codec, plain, bytes, now() - began);
    block.encoded = true;
    return encoded;
  }

  /**
   * A block passes that was made for all subscribers. If another connection has made it, nothing is
   * known of its time, and only its size counts.
   */
  void passed(BlockElements block, int bytes) {
    BlockSamples samples = samples(block.figures);
    int plain = block.plainBytes();
    samples.passed();
    reason = CompressionReason.PAYS;
    if (!block.encoded) {
      samples.shrank(codecs.indexOf(block.codec()), plain, bytes);
    }
    made(plain, bytes);
  }

  /** The figures of a channel. */
  BlockSamples samples(int figures) {
    BlockSamples samples = sampled.get(figures);
    if (samples == null) {
      samples = new BlockSamples(codecs.size(), clock);
      sampled.put(figures, samples);
    }
    if (warm != warmUp.done()) {
      warm = warmUp.done();
      sampled.values().forEach(BlockSamples::tryAgain);
    }
    return samples;
  }

  private void tryAll(BlockSamples samples, BlockElements block) {
    int plain = block.plainBytes();
    ByteBuffer room = spare;
    if (room == null || room.capacity() < plain) {
      room = ByteBuffer.allocate(plain);
      spare = room;
    }
    warmUp.begin(codecs, block);
    boolean promising = false;
    long first = now();
    for (int i = 0; i < codecs.size(); i++) {
      room.clear();
      long began = now();
      boolean smaller = CheckedCodec.encodeBlock(codecs.get(i), block, room);
      int bytes = smaller ? room.position() : plain;
      promising |= samples.encoded(i, plain, bytes, now() - began) && bytes < plain;
    }
    samples.findBest(linkRate);
    samples.tried(promising, pays(samples, samples.best, GAIN), samples.shrinksBy(GAIN), first);
  }

  private boolean pays(BlockSamples samples, int codec, double gain) {
    return samples.arrive(codec, linkRate) > gain * linkRate;
  }

  private boolean compresses(BlockSamples samples, int codec) {
    if (codec < 0) {
      reason = CompressionReason.GAINS_TOO_LITTLE;
      return false;
    }
    boolean pays = pays(samples, codec, samples.pays ? LEAST_GAIN : GAIN);
    if (pays != samples.pays || codec != samples.asked) {
      samples.pays = pays;
      samples.asked = codec;
      verdict =
          new BlockVerdict(
              codecs.get(codec).name(),
              pays,
              linkRate,
              samples.arrive(codec, linkRate),
              samples.ratio(codec));
    }
    reason =
        !pays
            ? CompressionReason.GAINS_TOO_LITTLE
            : isPaused()
                ? CompressionReason.ARRIVED_LATER
                : isProbing() ? CompressionReason.MEASURING : CompressionReason.PAYS;
    return reason == CompressionReason.PAYS;
  }

  /** Why the last block that was considered is compressed or not. The writing thread's. */
  CompressionReason reason() {
    return reason;
  }

  /** Why an array of so many bytes travels without blocks. Any thread. */
  CompressionReason reasonWithoutBlocks(long bytes) {
    double rate = linkRate;
    return bytes < LEAST_ARRAY_BYTES
        ? CompressionReason.ARRAY_SMALL
        : rate > FAST
            ? CompressionReason.LINK_FAST
            : rate == 0 && unhindered
                ? CompressionReason.LINK_NOT_FULL
                : CompressionReason.LINK_UNKNOWN;
  }

  private boolean isPaused() {
    if (paused && now() - pausedUntil >= 0) {
      paused = false;
      knownAt = now();
    }
    return paused;
  }

  /** Whether blocks are raw so that the link can be measured anew. */
  private boolean isProbing() {
    long now = now();
    if (probeBegan == 0) {
      if (now - knownAt < probeEvery) {
        return false;
      }
      probeBegan = now;
      probeBytes = 0;
    } else if (now - probeBegan > PROBE_NANOS) {
      if (probeBytes >= PROBE_BYTES) {
        // Nothing held it up: the link takes at least that.
        rawRate = Math.max(linkRate, probeBytes * NANOS / (now - probeBegan));
        linkRate = rawRate;
      }
      probeOver(now, true);
      return false;
    }
    return true;
  }

  private void probeOver(long now, boolean asBefore) {
    if (probeBegan != 0) {
      // A link that stays as it is is asked less and less.
      probeEvery = asBefore ? Math.min(2 * probeEvery, LAST_PROBE_NANOS) : FIRST_PROBE_NANOS;
    }
    probeBegan = 0;
    knownAt = now;
  }

  private void made(int plain, int bytes) {
    boolean encoded = bytes < plain;
    int wire = BlockHead.BYTES + bytes;
    madePlain += plain;
    madeWire += wire;
    madeCompressed |= encoded;
    counts.made(plain, wire, encoded);
    sinceFull = encoded ? 0 : sinceFull + plain;
    if (sinceFull > UNHINDERED_BYTES) {
      // Also of a link that was slow once: what was measured then holds no more.
      sinceFull = 0;
      linkRate = 0;
      unhindered = true;
    }
  }

  /** How many blocks were compressed. Any thread. */
  long compressed() {
    return counts.compressed();
  }

  // The link.

  /**
   * Bytes were written.
   *
   * @param count how many
   * @param full how many nanoseconds ago the channel took no more, or {@link LinkRate#NEVER}
   * @param over whether nothing is left to be written
   */
  void wrote(long count, long full, boolean over) {
    if (over) {
      // A connection that is done keeps no room for attempts.
      spare = null;
    }
    long now = now();
    if (full > 0) {
      // When the write began; it has taken the bytes since.
      measure(0, true, false, now - full);
    }
    measure(count, full == 0, over, now);
  }

  private void measure(long count, boolean full, boolean over, long now) {
    probeBytes += count;
    double rate = link.wrote(count, full, over, now);
    if (rate == 0) {
      return;
    }
    sinceFull = 0;
    boolean raw = !madeCompressed && !compressedBefore;
    if (raw) {
      boolean near = rate < 2 * linkRate && linkRate < 2 * rate;
      double known = near ? (linkRate + rate) / 2 : rate;
      linkRate = known;
      rawRate = known;
      probeOver(now, near);
    } else if (madeCompressed && compressedBefore && madeWire > 0) {
      judge(rate * madePlain / madeWire, now);
      double known = linkRate;
      linkRate = known + (rate - known) / 4;
    }
    compressedBefore = madeCompressed;
    madeCompressed = false;
    madePlain = 0;
    madeWire = 0;
  }

  /** Compares what has arrived with what arrived while blocks were raw. */
  private void judge(double arrived, long now) {
    if (arrived >= LOSS * rawRate) {
      badInARow = 0;
      knownAt = now;
      if (++goodInARow >= GAINS_IN_A_ROW) {
        pause = FIRST_PAUSE_NANOS;
      }
      return;
    }
    goodInARow = 0;
    if (++badInARow >= LOSSES_IN_A_ROW) {
      badInARow = 0;
      int lossesBefore = losses;
      losses = lossesBefore + 1;
      paused = true;
      pausedUntil = now + pause;
      pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
    }
  }

  /** Never 0. */
  private long now() {
    return clock.getAsLong() | 1;
  }

  /** What is chosen and why, for people. */
  String describe() {
    BlockVerdict last = verdict;
    double rate = linkRate;
    if (rate == 0) {
      return unhindered
          ? "none: no link holds up the sender"
          : "none: the link is not measured yet";
    }
    String made = ", " + counts + ", losses=" + losses;
    if (rate > FAST) {
      return String.format(
          Locale.ROOT, "none: the link takes %.1f MB/s%s", rate / BlockVerdict.MEGA, made);
    }
    return (paused ? "none for a while: compressed elements arrived later than raw ones; " : "")
        + (last == null
            ? String.format(Locale.ROOT, "none: the link takes %.1f MB/s", rate / BlockVerdict.MEGA)
            : last)
        + made;
  }
}
