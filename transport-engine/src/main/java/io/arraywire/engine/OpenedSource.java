package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A source of elements that is not an array, while it is sent once. The writing thread reads it;
 * the thread that ends the transfer closes it, when no frame of it is being made.
 */
final class OpenedSource implements ArraySource {
  /** What is read when it is handed in. Anything larger can break off behind its first element. */
  private static final int SMALL_BYTES = 4 << 10;

  /** What is read at a time for an encoding whose elements are not those of memory. */
  private static final int SCRATCH_BYTES = 8 << 10;

  private final ArraySource source;
  private final ElementType type;
  private final long count;
  final ElementReader reader;

  /** What the region was asked for with. The writing thread's. */
  private @Nullable Codec regionOf;

  private ElementReader.@Nullable Region region;

  /** Where such elements are read to. */
  private @Nullable ByteBuffer scratch;

  private @Nullable Object array;

  private OpenedSource(ArraySource source) throws IOException {
    this.source = source;
    type = source.type();
    count = source.count();
    reader = source.open();
  }

  /**
   * Opens a source to be sent once; a slice of an array needs nothing.
   *
   * @throws ArraywireException if it cannot be read
   */
  static ArraySource of(ArraySource source) throws ArraywireException {
    if (source instanceof ArraySlice || source instanceof OpenedSource) {
      return source;
    }
    try {
      OpenedSource opened = new OpenedSource(source);
      return opened.isSmall() ? opened.readWhole() : opened;
    } catch (SourceFailure e) {
      throw e.typed();
    } catch (IOException | RuntimeException e) {
      throw new SourceFailure(source, e).typed();
    }
  }

  private boolean isSmall() {
    return count * type.bytes() <= SMALL_BYTES;
  }

  /** Few elements are read at once, so that they can be sent in one frame without a doubt. */
  private ArraySlice readWhole() {
    try {
      int elements = (int) count;
      Object whole = type.newArray(elements);
      if (elements > 0) {
        ByteBuffer bytes =
            ByteBuffer.allocate(elements * type.bytes()).order(ByteOrder.nativeOrder());
        check();
        read(0, elements, bytes);
        BulkElements.get(type, bytes.flip(), whole, 0, elements, ByteOrder.nativeOrder());
      }
      return ArraySlice.ofArray(whole).as(type);
    } finally {
      reader.close();
    }
  }

  /** Closes a source that was opened; any thread, any number of times. */
  static void close(ArraySource source) {
    if (source instanceof OpenedSource opened) {
      opened.reader.close();
    }
  }

  /** Where the elements lie outside of the heap as they travel in an encoding; null otherwise. */
  static ElementReader.@Nullable Region region(ArraySource source, Codec codec) {
    if (!(source instanceof OpenedSource opened) || !codec.encoding().hasPlainElements()) {
      return null;
    }
    return opened.region(codec);
  }

  private ElementReader.@Nullable Region region(Codec codec) {
    if (!codec.equals(regionOf)) {
      regionOf = codec;
      try {
        region = reader.region(codec.encoding().order());
      } catch (RuntimeException e) {
        // The reader fails again when it is read, which is where that is seen to.
        region = null;
      }
    }
    return region;
  }

  @Override
  public ElementType type() {
    return type;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public ElementReader open() {
    return reader;
  }

  /**
   * Encodes elements.
   *
   * @throws SourceFailure if they cannot be read
   */
  void encode(Codec codec, long first, int elements, ByteBuffer target) {
    if (first + elements == count) {
      check();
    }
    if (codec.encoding().hasPlainElements()) {
      target.order(codec.encoding().order());
      read(first, elements, target);
      return;
    }
    int most = SCRATCH_BYTES / type.bytes();
    ByteBuffer bytes = scratch;
    Object decoded = array;
    if (bytes == null || decoded == null) {
      bytes = ByteBuffer.allocate(SCRATCH_BYTES).order(ByteOrder.nativeOrder());
      decoded = type.newArray(most);
      scratch = bytes;
      array = decoded;
    }
    for (int done = 0; done < elements; done += most) {
      int some = Math.min(most, elements - done);
      read(first + done, some, bytes.clear());
      BulkElements.get(type, bytes.flip(), decoded, 0, some, ByteOrder.nativeOrder());
      codec.encode(type, decoded, 0, some, target);
    }
  }

  private void read(long first, int elements, ByteBuffer target) {
    int expected = target.position() + elements * type.bytes();
    try {
      reader.read(first, elements, target);
    } catch (IOException | RuntimeException e) {
      throw new SourceFailure(source, e);
    }
    if (target.position() != expected) {
      throw new SourceFailure(
          source,
          new IllegalStateException(
              MessageText.brief(
                  "a source read another number of bytes than its elements have",
                  "expectedPosition",
                  expected,
                  "position",
                  target.position())));
    }
  }

  /**
   * Checks that the elements are still there, as far as that can be told.
   *
   * @throws SourceFailure if they are not
   */
  void check() {
    try {
      reader.check();
    } catch (IOException | RuntimeException e) {
      throw new SourceFailure(source, e);
    }
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
