package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.util.Locale;

/** The classic ways to get the bytes of a socket into a file. */
public enum ReceiveTechnique {
  /** Channels and a direct buffer. */
  BUFFER("channels and a direct buffer") {
    @Override
    public FileSink open(FileChannel file, long end, SocketChannel from, Transferred transferred) {
      return new BufferSink(file, from, transferred);
    }
  },
  /** A mapping. */
  MAPPED("the file mapped, read into from the socket") {
    @Override
    public FileSink open(FileChannel file, long end, SocketChannel from, Transferred transferred) {
      return new MappedSink(file, end, from, transferred);
    }
  },
  /** The JDK's own loop. */
  TRANSFER("FileChannel.transferFrom") {
    @Override
    public FileSink open(FileChannel file, long end, SocketChannel from, Transferred transferred) {
      return new TransferSink(file, from, transferred);
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
   * @param end how many bytes it will have
   * @param from where they come from, a blocking channel, which is not closed
   * @param transferred told of each operation that moved bytes
   * @return the file, to be closed by the caller
   * @throws IOException if that fails
   */
  public abstract FileSink open(
      FileChannel file, long end, SocketChannel from, Transferred transferred) throws IOException;

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
