package io.arraywire.source;

import io.arraywire.ElementType;
import io.arraywire.spi.MessageText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory segments. Takes the place of the class of the same name in {@code src/main/java}, whose
 * package-private methods it must have. Functions, for any thread.
 */
final class Segments {
  /** Stands for any thread but the one that made a segment; never started. */
  private static final Thread ANOTHER = new Thread(() -> {}, "arraywire-another");

  private Segments() {}

  /** The bytes of a direct buffer from its position to its limit; null if they are too many. */
  static @Nullable ByteBuffer bytes(Buffer direct) {
    return view(MemorySegment.ofBuffer(direct));
  }

  private static @Nullable ByteBuffer view(MemorySegment segment) {
    return segment.isNative() && segment.byteSize() <= Integer.MAX_VALUE
        ? segment.asByteBuffer()
        : null;
  }

  static ArraySource elements(Object segment, ElementType type, ByteOrder order) {
    MemorySegment memory = checked(segment, type, order);
    return new Elements(memory, type, order, view(memory));
  }

  /** A segment as a typed buffer. */
  static Buffer buffer(Object segment, ElementType type, ByteOrder order) {
    MemorySegment memory = checked(segment, type, order);
    ByteBuffer bytes = view(memory);
    if (bytes == null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "a segment to receive into must be native and fit a buffer; give the array of a"
                  + " heap segment, or a slice",
              "bytes",
              memory.byteSize(),
              "limit",
              Integer.MAX_VALUE,
              "native",
              memory.isNative()));
    }
    return BufferElements.typed(bytes.order(order), type);
  }

  private static MemorySegment checked(Object segment, ElementType type, ByteOrder order) {
    Objects.requireNonNull(order, "order");
    if (!(Objects.requireNonNull(segment, "segment") instanceof MemorySegment memory)) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "not a memory segment; give a MemorySegment",
              "given",
              MessageText.kind(segment),
              "type",
              type.typeName()));
    }
    if (!memory.isAccessibleBy(ANOTHER)) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the segment is confined to one thread, but other threads move its elements; use a"
                  + " shared or automatic arena",
              "bytes",
              memory.byteSize(),
              "type",
              type.typeName()));
    }
    BufferElements.checkWhole(memory.byteSize(), type);
    return memory;
  }

  private record Elements(
      MemorySegment memory, ElementType type, ByteOrder order, @Nullable ByteBuffer view)
      implements ArraySource, ElementReader {
    @Override
    public long count() {
      return memory.byteSize() / type.bytes();
    }

    @Override
    public ElementReader open() {
      return this;
    }

    @Override
    public void read(long index, int count, ByteBuffer target) {
      ValueLayout layout = layout(type.bytes());
      MemorySegment.copy(
          memory,
          layout.withOrder(order),
          index * type.bytes(),
          MemorySegment.ofBuffer(target),
          layout.withOrder(target.order()),
          0,
          count);
      target.position(target.position() + count * type.bytes());
    }

    /** Bits that are moved as they are, whatever they mean. */
    private static ValueLayout layout(int bytes) {
      return switch (bytes) {
        case 8 -> ValueLayout.JAVA_LONG_UNALIGNED;
        case 4 -> ValueLayout.JAVA_INT_UNALIGNED;
        case 2 -> ValueLayout.JAVA_SHORT_UNALIGNED;
        default -> ValueLayout.JAVA_BYTE;
      };
    }

    @Override
    public @Nullable Region region(ByteOrder wanted) {
      return view == null || (wanted != order && type.bytes() > 1)
          ? null
          : new Region.Memory(view.duplicate());
    }

    @Override
    public String toString() {
      return "a segment of " + count() + " elements (" + type.typeName() + ", " + order + ")";
    }
  }
}
