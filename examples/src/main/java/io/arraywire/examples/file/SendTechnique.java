package io.arraywire.examples.file;

import io.arraywire.ElementType;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import java.io.IOException;
import java.util.Locale;

/** The five classic ways to get the bytes of a file to a socket, as sources of elements. */
public enum SendTechnique {
  /** Streams and a {@code byte[]}. */
  STREAM("streams of java.io and a byte[]", 1) {
    @Override
    ElementReader open(ArrayFile file, ElementReader direct) throws IOException {
      return StagedReader.ofStream(file, direct);
    }
  },
  /** Channels and a buffer on the heap. */
  HEAP("channels and a heap buffer", 1) {
    @Override
    ElementReader open(ArrayFile file, ElementReader direct) throws IOException {
      return StagedReader.ofChannel(file, direct);
    }
  },
  /** Channels and a direct buffer, which is the one that the transport writes from. */
  DIRECT("channels and a direct buffer", 0) {
    @Override
    ElementReader open(ArrayFile file, ElementReader direct) {
      return new FileReader(direct);
    }
  },
  /** A mapping of the file, written from there. */
  MAPPED("the file mapped, written from there", 0) {
    @Override
    ElementReader open(ArrayFile file, ElementReader direct) throws IOException {
      return new MappedReader(file, direct);
    }
  },
  /** {@code FileChannel.transferTo}: the kernel alone moves the bytes. */
  TRANSFER("FileChannel.transferTo", 0) {
    @Override
    ElementReader open(ArrayFile file, ElementReader direct) {
      return direct;
    }
  };

  /** The fastest as measured; see docs/benchmarks.md. */
  public static final SendTechnique FASTEST = MAPPED;

  private final String summary;
  private final int copies;

  SendTechnique(String summary, int copies) {
    this.summary = summary;
    this.copies = copies;
  }

  /**
   * Opens a file to be sent once.
   *
   * @param file the file
   * @param direct reads it straight into the frame, and checks that it is as it was
   * @return reads it in this way; what closes it closes {@code direct}
   */
  abstract ElementReader open(ArrayFile file, ElementReader direct) throws IOException;

  /**
   * The elements of a file, to be sent in this way as often as you like. A large file takes no more
   * memory than a small one.
   *
   * <p>{@link #MAPPED} and {@link #TRANSFER} have the kernel send the file, past the frame. They do
   * so if the elements travel as they lie in the file, without checksums, and if the transport
   * takes regions of files. Otherwise {@code MAPPED} copies from the mapping into the frame, and
   * {@code TRANSFER} reads as {@link #DIRECT} does.
   *
   * @param file the file, which must not change until it is sent
   * @return its elements
   * @throws IOException if it cannot be found
   */
  public ArraySource source(ArrayFile file) throws IOException {
    ArraySource direct =
        ArraySource.file(
            file.path(), file.position(), file.type(), file.order(), file.header().count());
    return new Source(this, file, direct);
  }

  /**
   * How often each byte is copied before it is in the frame that carries it, beside what the
   * receipt counts from there on.
   *
   * @return copies in the memory of this process, those of the JDK included
   */
  public int copies() {
    return copies;
  }

  /**
   * What it does, in a line.
   *
   * @return some words
   */
  public String summary() {
    return summary;
  }

  /** The name on a command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  private record Source(SendTechnique technique, ArrayFile file, ArraySource direct)
      implements ArraySource {
    @Override
    public ElementType type() {
      return direct.type();
    }

    @Override
    public long count() {
      return direct.count();
    }

    @Override
    public ElementReader open() throws IOException {
      ElementReader reader = direct.open();
      boolean opened = false;
      try {
        ElementReader other = technique.open(file, reader);
        opened = true;
        return other;
      } finally {
        if (!opened) {
          reader.close();
        }
      }
    }

    @Override
    public String toString() {
      return direct.toString();
    }
  }
}
