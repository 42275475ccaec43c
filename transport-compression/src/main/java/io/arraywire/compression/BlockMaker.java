package io.arraywire.compression;

import static io.arraywire.compression.Layout.WORDS;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import java.nio.ByteBuffer;

/**
 * Makes one block of elements, in the {@linkplain Layout layout} that makes them small. Elements
 * that hardly repeat go in planes. Those of the mantissa, which mostly do not shrink, travel as
 * they are and cost the receiver a copy. The others get statistics of their own. For elements that
 * repeat it makes some blocks in all layouts, and {@link Repeating} remembers which was smallest.
 * One thread at a time.
 */
final class BlockMaker {
  /**
   * Elements that become so many times smaller are made in other layouts, too: it is quick, and a
   * table of values weighs something.
   */
  private static final int SMALL = 32;

  private final BlockCompressor compressor;
  private final byte[] elements;
  private final byte[] planes;
  private final Values values = new Values();
  private final byte[] planesOfValues = new byte[Layout.MOST_VALUES * Long.BYTES];
  private final Repeating repeating = new Repeating();

  /** The smallest block so far, and one that is made, each with room for a sequence behind it. */
  private byte[] made;

  private byte[] candidate;

  /** Bytes of the smallest block, or one more than there is room for. */
  private int least;

  /**
   * Makes nothing yet.
   *
   * @param elements where the elements are when a block is made, little-endian
   * @param planes memory of the same size, for the moment
   */
  BlockMaker(BlockCompressor compressor, byte[] elements, byte[] planes) {
    this.compressor = compressor;
    this.elements = elements;
    this.planes = planes;
    int size =
        Layout.wordsOfValues(Long.BYTES, Layout.MOST_VALUES)
            + Encoding.MAX_BLOCK_BYTES
            + compressor.mostCompressed(Encoding.MAX_BLOCK_BYTES);
    made = new byte[size];
    candidate = new byte[size];
  }

  /** Puts a block into the target if it gets smaller than what remains there. */
  void make(ElementType type, int count, ByteBuffer target) {
    int width = type.bytes();
    int room = target.remaining();
    least = room + 1;
    if (width == 1) {
      tryPlanes(elements, count, 1);
    } else if (values.look(elements, count, width)) {
      makeRepeating(type, count);
    } else {
      trySplit(count, width);
    }
    if (least <= room) {
      target.put(made, 0, least);
    }
  }

  private void makeRepeating(ElementType type, int count) {
    int width = type.bytes();
    Repeating.Kind known = repeating.known(type);
    if (known == null) {
      repeating.remember(type, makeAll(count, width), least, count * width);
      return;
    }
    switch (known) {
      case WHOLE -> tryWhole(count * width);
      case VALUES -> {
        if (!tryValues(count, width)) {
          trySplit(count, width);
        } else if (isSmall(count * width)) {
          tryWhole(count * width);
        }
      }
      case PLANES -> trySplit(count, width);
    }
    repeating.used(least, count * width);
  }

  /** Makes a block in all layouts that may be the smallest. Returns which is. */
  private Repeating.Kind makeAll(int count, int width) {
    Repeating.Kind smallest = Repeating.Kind.PLANES;
    if (tryValues(count, width)) {
      smallest = Repeating.Kind.VALUES;
      if (values.count() <= Layout.VALUES_OF_A_BYTE && !isSmall(count * width)) {
        // Four bytes and more became less than one.
        return smallest;
      }
    }
    int before = least;
    trySplit(count, width);
    if (least < before) {
      smallest = Repeating.Kind.PLANES;
    }
    before = least;
    tryWhole(count * width);
    return least < before ? Repeating.Kind.WHOLE : smallest;
  }

  private boolean isSmall(int bytes) {
    return least <= bytes / SMALL;
  }

  private void trySplit(int count, int width) {
    Shuffle.split(elements, planes, count, width);
    tryPlanes(planes, count, width);
  }

  private void tryPlanes(byte[] from, int count, int width) {
    int at = width * Integer.BYTES;
    for (int k = 0; k < width && at < least; k++) {
      at = sequence(from, k * count, count, k, at);
    }
    keep(at);
  }

  private void tryWhole(int bytes) {
    int compressed = compressor.compress(elements, 0, bytes, candidate, Integer.BYTES);
    if (compressed < bytes) {
      WORDS.set(candidate, 0, Layout.OTHER);
      keep(Integer.BYTES + compressed);
    }
  }

  /** False if the elements have too many values. */
  private boolean tryValues(int count, int width) {
    if (!values.find(elements, count, width)) {
      return false;
    }
    int many = values.count();
    Shuffle.split(values.bytes, planesOfValues, many, width);
    WORDS.set(candidate, 0, Layout.OTHER | many);
    int at = Layout.wordsOfValues(width, many);
    for (int k = 0; k < width; k++) {
      at = sequence(planesOfValues, k * many, many, 1 + k, at);
    }
    for (int k = 0; k < Layout.indexBytes(many); k++) {
      at = sequence(values.indices, k * count, count, 1 + width + k, at);
    }
    keep(at);
    return true;
  }

  /** Adds a sequence of bytes to the candidate, and its word. Returns where it ends. */
  private int sequence(byte[] from, int fromAt, int count, int word, int at) {
    int bytes = compressor.compress(from, fromAt, count, candidate, at);
    if (bytes < count) {
      WORDS.set(candidate, word * Integer.BYTES, bytes);
      return at + bytes;
    }
    System.arraycopy(from, fromAt, candidate, at, count);
    WORDS.set(candidate, word * Integer.BYTES, count | Layout.RAW);
    return at + count;
  }

  private void keep(int bytes) {
    if (bytes < least) {
      least = bytes;
      byte[] other = made;
      made = candidate;
      candidate = other;
    }
  }
}
