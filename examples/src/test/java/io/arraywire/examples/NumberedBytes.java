package io.arraywire.examples;

import io.arraywire.ElementType;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.source.ElementWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Bytes of which each eight are their own number, little-endian, so that a byte in a wrong place
 * shows. They are made as they leave and checked as they come: arrays of gigabytes take no memory.
 */
final class NumberedBytes {
  private NumberedBytes() {}

  /** So many bytes; the bits of the mask are inverted in each number. */
  static ArraySource source(long count, long mask) {
    return new ArraySource() {
      @Override
      public ElementType type() {
        return ElementType.BYTE;
      }

      @Override
      public long count() {
        return count;
      }

      @Override
      public ElementReader open() {
        return (index, bytes, target) -> {
          for (long i = index; i < index + bytes; ) {
            if (i % Long.BYTES == 0 && index + bytes - i >= Long.BYTES) {
              target.putLong(inOrder(i / Long.BYTES ^ mask, target));
              i += Long.BYTES;
            } else {
              target.put(at(i, mask));
              i++;
            }
          }
        };
      }
    };
  }

  /** Refuses bytes that are not those of {@link #source}. */
  static ArraySink sink(long mask) {
    return new ArraySink() {
      @Override
      public ElementType type() {
        return ElementType.BYTE;
      }

      @Override
      public ElementWriter open(long count, ByteOrder order) {
        return new Checker(count, mask);
      }
    };
  }

  private static byte at(long index, long mask) {
    return (byte) ((index / Long.BYTES ^ mask) >>> index % Long.BYTES * Byte.SIZE);
  }

  private static long inOrder(long number, ByteBuffer buffer) {
    return buffer.order() == ByteOrder.LITTLE_ENDIAN ? number : Long.reverseBytes(number);
  }

  private static final class Checker implements ElementWriter {
    private final long count;
    private final long mask;
    private long next;

    Checker(long count, long mask) {
      this.count = count;
      this.mask = mask;
    }

    @Override
    public void write(long index, int bytes, ByteBuffer source) throws IOException {
      if (index != next) {
        throw new IOException("byte " + index + " comes, and not " + next);
      }
      next += bytes;
      for (long i = index; i < next; ) {
        if (i % Long.BYTES == 0
            && next - i >= Long.BYTES
            && source.getLong(source.position()) == inOrder(i / Long.BYTES ^ mask, source)) {
          source.position(source.position() + Long.BYTES);
          i += Long.BYTES;
        } else {
          byte found = source.get();
          if (found != at(i, mask)) {
            throw new IOException("byte " + i + " is " + found + ", and not " + at(i, mask));
          }
          i++;
        }
      }
    }

    @Override
    public void finish() throws IOException {
      if (next != count) {
        throw new IOException(next + " bytes came of " + count);
      }
    }
  }
}
