package io.arraywire.source;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.MessageText;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The elements of a buffer that is not that of an array. Immutable: nobody moves its buffer. */
final class BufferElements implements ArraySource, ElementReader {
  /** A buffer of the type's carrier, from index 0 to its limit. */
  private final Buffer elements;

  private final ElementType type;
  private final @Nullable Region region;
  private final ByteOrder order;

  private BufferElements(
      Buffer elements, ElementType type, @Nullable ByteBuffer bytes, ByteOrder order) {
    this.elements = elements;
    this.type = type;
    this.region = bytes == null ? null : new Region.Memory(bytes);
    this.order = order;
  }

  /** Refuses booleans: a byte outside of a boolean[] may be neither 0 nor 1. */
  static ElementType checked(ElementType type) {
    if (Objects.requireNonNull(type, "type").carrier() == ElementType.BOOLEAN) {
      throw new IllegalArgumentException(
          "booleans are moved from and to arrays only; give a boolean[] (type="
              + type.typeName()
              + ")");
    }
    return type;
  }

  /**
   * Refuses bytes that end inside an element.
   *
   * @param where names and values in turn, which say whose bytes they are
   */
  static void checkWhole(long bytes, ElementType type, Object... where) {
    if (bytes % type.bytes() != 0) {
      List<Object> facts = new ArrayList<>(List.of("bytes", bytes, "type", type.typeName()));
      Collections.addAll(facts, where);
      throw new IllegalArgumentException(
          MessageText.brief("the bytes are not whole elements", facts.toArray()));
    }
  }

  static ArraySource of(Buffer buffer, ElementType type) {
    ElementType held = ElementType.ofBuffer(buffer);
    checked(type);
    if (held == ElementType.BYTE && type.bytes() > 1) {
      return ofBytes((ByteBuffer) buffer, type);
    }
    if (held != type.carrier()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the buffer holds elements of another type; give one of the type's carrier, or a"
                  + " ByteBuffer",
              "type",
              type.typeName(),
              "carrier",
              type.carrier().typeName(),
              "buffer",
              held.typeName()));
    }
    if (buffer.hasArray()) {
      return ArraySlice.ofArray(
              buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining())
          .as(type);
    }
    if (buffer instanceof ByteBuffer bytes) {
      return ofBytes(bytes, type);
    }
    ByteBuffer bytes = buffer.isDirect() ? Segments.bytes(buffer) : null;
    return new BufferElements(buffer.slice(), type, bytes, order(buffer));
  }

  private static BufferElements ofBytes(ByteBuffer buffer, ElementType type) {
    checkWhole(buffer.remaining(), type);
    ByteBuffer own = buffer.slice().order(buffer.order());
    return new BufferElements(
        typed(own, type), type, buffer.isDirect() ? own : null, buffer.order());
  }

  /** A view of bytes from the position to the limit, in their byte order. */
  static Buffer typed(ByteBuffer bytes, ElementType type) {
    return switch (type.carrier()) {
      case FLOAT -> bytes.asFloatBuffer();
      case INT -> bytes.asIntBuffer();
      case DOUBLE -> bytes.asDoubleBuffer();
      case LONG -> bytes.asLongBuffer();
      case SHORT -> bytes.asShortBuffer();
      case CHAR -> bytes.asCharBuffer();
      default -> bytes.slice();
    };
  }

  private static ByteOrder order(Buffer buffer) {
    if (buffer instanceof FloatBuffer floats) {
      return floats.order();
    } else if (buffer instanceof IntBuffer ints) {
      return ints.order();
    } else if (buffer instanceof DoubleBuffer doubles) {
      return doubles.order();
    } else if (buffer instanceof LongBuffer longs) {
      return longs.order();
    } else if (buffer instanceof ShortBuffer shorts) {
      return shorts.order();
    }
    return ((CharBuffer) buffer).order();
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public long count() {
    return elements.limit();
  }

  @Override
  public ElementReader open() {
    return this;
  }

  @Override
  public void read(long index, int count, ByteBuffer target) {
    int from = (int) index;
    if (elements instanceof FloatBuffer floats) {
      target.asFloatBuffer().put(0, floats, from, count);
    } else if (elements instanceof IntBuffer ints) {
      target.asIntBuffer().put(0, ints, from, count);
    } else if (elements instanceof DoubleBuffer doubles) {
      target.asDoubleBuffer().put(0, doubles, from, count);
    } else if (elements instanceof LongBuffer longs) {
      target.asLongBuffer().put(0, longs, from, count);
    } else if (elements instanceof ShortBuffer shorts) {
      target.asShortBuffer().put(0, shorts, from, count);
    } else if (elements instanceof CharBuffer chars) {
      target.asCharBuffer().put(0, chars, from, count);
    } else {
      target.put(target.position(), (ByteBuffer) elements, from, count);
    }
    target.position(target.position() + count * type.bytes());
  }

  @Override
  public @Nullable Region region(ByteOrder wanted) {
    return wanted == order || type.bytes() == 1 ? region : null;
  }

  @Override
  public String toString() {
    return "a buffer of " + count() + " elements (" + type.typeName() + ", " + order + ")";
  }
}
