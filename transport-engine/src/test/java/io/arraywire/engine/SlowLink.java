package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ProtocolException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sender that sends as fast as it can over a link with a rate, on a clock of its own: encoding
 * takes time, and so does a copy; what the buffers of the channel have no room for waits.
 */
final class SlowLink {
  private static final long BUFFER_BYTES = 192 << 10;
  private static final double ROUND_TRIP = 100e-6;
  private static final double COPY = 5e9;

  /** As the transport with blocking writes has it. */
  private static final long LEAST_WAIT_NANOS = 500_000;

  private static final double NANOS = 1e9;
  private static final int COUNT = Encoding.MAX_BLOCK_BYTES / Float.BYTES;
  private static final float[] ELEMENTS = new float[COUNT];

  /** A codec that needs time. */
  final class Slow implements Codec {
    private final String name;

    /** Bytes of elements in a second. */
    double rate;

    /** How often it has encoded, where the JVM has still to compile it; else -1. */
    int calls = -1;

    /** What becomes of each byte; 1 for what does not get smaller. */
    double fraction;

    /** The same for each block of an array, where they differ. */
    double @Nullable [] fractions;

    Slow(String name, double rate, double fraction) {
      this.name = name;
      this.rate = rate;
      this.fraction = fraction;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Encoding encoding() {
      return Encoding.customInBlocks(200, name, ByteOrder.LITTLE_ENDIAN, type -> true);
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      int plain = count * type.bytes();
      advance(plain / rate * slower());
      double[] each = fractions;
      int bytes = (int) (plain * (each == null ? fraction : each[position % each.length]));
      if (bytes < plain) {
        target.position(target.position() + bytes);
      }
    }

    /** The interpreter runs it first, then what the quick compiler made, then the other one. */
    private double slower() {
      if (calls < 0) {
        return 1;
      }
      calls++;
      return calls <= 2 ? 20 : calls <= 32 ? 3 : 1;
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
        throws ProtocolException {
      throw new UnsupportedOperationException();
    }

    @Override
    public CodecTraits traits() {
      return new CodecTraits(MemoryKind.HEAP, false, 1, 1);
    }
  }

  final BlockChoice choice;

  private final List<Slow> codecs;
  private final BlockElements block = new BlockElements();
  private final ByteBuffer space = ByteBuffer.allocate(Encoding.MAX_BLOCK_BYTES);

  /** What the link takes, and what the peer decodes, in a second. */
  double rate;

  double decodes = Double.POSITIVE_INFINITY;

  /** Whether writes wait for room, and nobody says that the channel is full. */
  boolean blocking;

  /** Whether there is a thread that warms up codecs. */
  boolean warmsUp;

  private boolean beside;

  /** Which block of an array is sent. */
  private int position;

  private double nanos = 1;
  private double buffered;

  /** Bytes of elements for each byte that is in flight. */
  private double ratio = 1;

  SlowLink(double rate, Object... codecs) {
    this.rate = rate;
    Slow[] all = new Slow[codecs.length / 3];
    for (int i = 0; i < all.length; i++) {
      all[i] =
          new Slow((String) codecs[3 * i], (double) codecs[3 * i + 1], (double) codecs[3 * i + 2]);
    }
    this.codecs = List.of(all);
    choice =
        new BlockChoice(
            this.codecs.stream().map(Codec.class::cast).toList(),
            () -> now(),
            new CodecWarmUp(this::beside, () -> now()));
  }

  Slow codec(int index) {
    return codecs.get(index);
  }

  private long now() {
    return (long) nanos;
  }

  /** On a thread of its own, which takes no time of the sender's. */
  private void beside(Runnable task) {
    if (warmsUp) {
      beside = true;
      task.run();
      beside = false;
    }
  }

  private void advance(double seconds) {
    if (beside) {
      return;
    }
    nanos += seconds * NANOS;
    buffered = Math.max(0, buffered - seconds * drained());
  }

  /** The peer reads no faster than it decodes what is compressed. */
  private double drained() {
    return ratio > 1 ? Math.min(rate, decodes / ratio) : rate;
  }

  /** Whether an array goes in blocks, and with which codec. */
  @Nullable Codec chosen(long bytes) {
    return choice.codec(0, ElementType.FLOAT, bytes);
  }

  /** The next block of the link's only channel. */
  BlockElements begun(Codec codec) {
    block.begin(0, codec, ElementType.FLOAT, COUNT);
    block.at(ELEMENTS, 0);
    return block;
  }

  /**
   * Sends arrays of 8 MiB one behind the other for so long; returns how many bytes of elements went
   * in a second.
   */
  double send(double seconds) {
    double begin = nanos;
    long plain = 0;
    while (nanos < begin + seconds * NANOS) {
      plain += array(128, false);
    }
    return plain * NANOS / (nanos - begin);
  }

  /** The same with arrays of so many blocks, each of which has arrived before the next begins. */
  double sendOneByOne(double seconds, int blocks) {
    double begin = nanos;
    long plain = 0;
    while (nanos < begin + seconds * NANOS) {
      plain += array(blocks, true);
      advance(buffered / drained() + ROUND_TRIP);
    }
    return plain * NANOS / (nanos - begin);
  }

  private long array(int blocks, boolean alone) {
    Codec codec = chosen((long) blocks * Encoding.MAX_BLOCK_BYTES);
    for (position = 0; position < blocks; position++) {
      long bytes = Encoding.MAX_BLOCK_BYTES;
      if (codec != null && choice.encode(begun(codec), space.clear())) {
        bytes = space.position();
      } else {
        advance(bytes / COPY);
      }
      ratio = (double) Encoding.MAX_BLOCK_BYTES / bytes;
      write(bytes, alone && position == blocks - 1);
    }
    return (long) blocks * Encoding.MAX_BLOCK_BYTES;
  }

  /** The kernel keeps the thread until it has taken everything, as sockets in blocking mode do. */
  private void writeBlocking(long bytes, boolean over) {
    long began = now();
    long left = bytes;
    advance(bytes / COPY);
    while (left > 0) {
      long some = (long) Math.min(left, BUFFER_BYTES - buffered);
      buffered += some;
      left -= some;
      if (left > 0) {
        advance(BUFFER_BYTES / 3 / drained());
      }
    }
    long took = now() - began;
    choice.wrote(bytes, took >= LEAST_WAIT_NANOS ? took : LinkRate.NEVER, over);
  }

  private void write(long bytes, boolean over) {
    if (blocking) {
      writeBlocking(bytes, over);
      return;
    }
    long left = bytes;
    while (left > 0) {
      long some = (long) Math.min(left, BUFFER_BYTES - buffered);
      buffered += some;
      left -= some;
      choice.wrote(some, left > 0 ? 0 : LinkRate.NEVER, over && left == 0);
      if (left > 0) {
        advance(BUFFER_BYTES / 3 / drained());
      }
    }
  }
}
