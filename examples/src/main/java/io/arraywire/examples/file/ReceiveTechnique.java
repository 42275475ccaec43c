package io.arraywire.examples.file;

import io.arraywire.source.ElementWriter;
import java.nio.channels.FileChannel;
import java.util.Locale;

/** The classic ways to get elements that arrive into a file, as writers of elements. */
public enum ReceiveTechnique {
  /** Writes the direct buffer that the channel reads into. */
  BUFFER("channels and a direct buffer") {
    @Override
    ElementWriter open(FileChannel file, long first, long bytes, int width) {
      return FileWriters.buffer(file, first, width);
    }
  },
  /** Maps the file, into which the kernel copies from there through a pipe. */
  MAPPED("the file mapped, read into through a pipe") {
    @Override
    ElementWriter open(FileChannel file, long first, long bytes, int width) {
      return new MappedWriter(file, first, bytes, width);
    }
  },
  /** {@code FileChannel.transferFrom}, the JDK's own loop. */
  TRANSFER("FileChannel.transferFrom") {
    @Override
    ElementWriter open(FileChannel file, long first, long bytes, int width) {
      return FileWriters.transfer(file, first, width);
    }
  };

  /** The fastest as measured; see docs/benchmarks.md. */
  public static final ReceiveTechnique FASTEST = BUFFER;

  private final String summary;

  ReceiveTechnique(String summary) {
    this.summary = summary;
  }

  /**
   * Begins to fill a file.
   *
   * @param file the file, open for reading and writing, which is not closed
   * @param first where the first element goes
   * @param bytes how many bytes of elements come
   * @param width bytes of an element
   * @return writes them
   */
  abstract ElementWriter open(FileChannel file, long first, long bytes, int width);

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
}
