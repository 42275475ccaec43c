package io.arraywire.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Moves bytes between a channel and the memory of an array itself, so that no buffer stands between
 * them. Made by transports that can. Called on the thread that reads or writes the channel, with a
 * monitor held under which nothing else of the connection is called. Must not block.
 */
public interface ArrayIo {

  /**
   * Reads into an array.
   *
   * @param array an array of primitive elements other than boolean
   * @param offset where in the array, in bytes
   * @param bytes at most how many, more than 0
   * @return how many were read, 0 if there are none now, negative at the end of the stream
   * @throws IOException if the channel fails
   */
  long read(Object array, long offset, int bytes) throws IOException;

  /**
   * Writes from an array.
   *
   * @param array an array of primitive elements other than boolean
   * @param offset where in the array, in bytes
   * @param bytes at most how many, more than 0
   * @return how many were written, 0 if the channel takes none now
   * @throws IOException if the channel fails
   */
  long write(Object array, long offset, int bytes) throws IOException;

  /**
   * Writes from direct memory; see {@link Link#leastRegionBytes()}.
   *
   * @param source the bytes from its position to its limit, more than 0; the position is advanced
   * @return how many were written, 0 if the channel takes none now
   * @throws IOException if the channel fails
   */
  default long write(ByteBuffer source) throws IOException {
    throw new IllegalStateException("direct memory is staged here");
  }

  /**
   * Writes headers and direct memory behind them in one operation; as {@code
   * GatheringByteChannel.write}.
   *
   * @param sources the buffers, whose positions are advanced
   * @param offset the first
   * @param length how many
   * @return how many bytes were written, 0 if the channel takes none now
   * @throws IOException if the channel fails
   */
  default long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    throw new IllegalStateException("direct memory is staged here");
  }

  /**
   * Has the kernel write from a file; see {@link Link#leastRegionBytes()}.
   *
   * @param file open for reading
   * @param position where the bytes begin in it
   * @param bytes at most how many, more than 0
   * @return how many were written, 0 if the channel takes none now or the file has no more
   * @throws IOException if the channel or the file fails
   */
  default long transfer(FileChannel file, long position, int bytes) throws IOException {
    throw new IllegalStateException("files are staged here");
  }
}
