package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Locale;

/** The five classic ways to get the bytes of a file to a socket. */
public enum SendTechnique {
  /** Streams and a {@code byte[]}. */
  STREAM("streams of java.io and a byte[]", 2, 2) {
    @Override
    public FileSource open(Path file, SocketChannel to, Transferred transferred)
        throws IOException {
      return new StreamSource(file, to, transferred);
    }
  },
  /** Channels and a buffer on the heap. */
  HEAP("channels and a heap buffer", 2, 2) {
    @Override
    public FileSource open(Path file, SocketChannel to, Transferred transferred)
        throws IOException {
      return new BufferSource(file, to, ByteBuffer.allocate(FileSource.CHECKED_BYTES), transferred);
    }
  },
  /** Channels and a direct buffer. */
  DIRECT("channels and a direct buffer", 0, 0) {
    @Override
    public FileSource open(Path file, SocketChannel to, Transferred transferred)
        throws IOException {
      return new BufferSource(
          file, to, ByteBuffer.allocateDirect(FileSource.CHECKED_BYTES), transferred);
    }
  },
  /** A mapping. */
  MAPPED("the file mapped, written from there", 0, 1) {
    @Override
    public FileSource open(Path file, SocketChannel to, Transferred transferred)
        throws IOException {
      return new MappedSource(file, to, transferred);
    }
  },
  /** The kernel alone. */
  TRANSFER("FileChannel.transferTo", 0, 1) {
    @Override
    public FileSource open(Path file, SocketChannel to, Transferred transferred)
        throws IOException {
      return new TransferSource(file, to, transferred);
    }
  };

  /** The fastest as measured; see docs/benchmarks.md. */
  public static final SendTechnique FASTEST = MAPPED;

  /** The most bytes that one operation of a channel is asked to move. */
  static final long PIECE_BYTES = FileSource.CHECKED_BYTES;

  private final String summary;
  private final int copies;
  private final int copiesIfChecked;

  SendTechnique(String summary, int copies, int copiesIfChecked) {
    this.summary = summary;
    this.copies = copies;
    this.copiesIfChecked = copiesIfChecked;
  }

  /**
   * Opens a file.
   *
   * @param file the file
   * @param to where its bytes go, a blocking channel, which is not closed
   * @param transferred told of each operation that moved bytes
   * @return the file, to be closed by the caller
   * @throws IOException if it cannot be opened
   */
  public abstract FileSource open(Path file, SocketChannel to, Transferred transferred)
      throws IOException;

  /**
   * How often each byte is copied in the memory of this process.
   *
   * @param checked whether checksums are computed
   * @return copies, those of the JDK included
   */
  public int copies(boolean checked) {
    return checked ? copiesIfChecked : copies;
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
}
