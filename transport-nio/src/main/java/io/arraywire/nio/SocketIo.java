package io.arraywire.nio;

import io.arraywire.engine.ArrayIo;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * All that one nonblocking channel is asked for by its event loop. Stands between the link and its
 * channel so that a test can make reads and writes short, slow or failing.
 */
interface SocketIo extends ArrayIo, Closeable {

  /** As {@link SocketChannel#read(ByteBuffer[], int, int)}. */
  long read(ByteBuffer[] targets, int offset, int length) throws IOException;

  /** As {@link SocketChannel#write(ByteBuffer[], int, int)}. */
  @Override
  long write(ByteBuffer[] sources, int offset, int length) throws IOException;

  /** The same, where elements follow that the channel takes from where they lie. */
  default long writeBeforeArray(ByteBuffer[] sources, int offset, int length) throws IOException {
    return write(sources, offset, length);
  }

  @Override
  default long read(Object array, long offset, int bytes) throws IOException {
    throw new IllegalStateException("arrays are staged here");
  }

  @Override
  default long write(Object array, long offset, int bytes) throws IOException {
    throw new IllegalStateException("arrays are staged here");
  }

  /** From how many bytes on arrays are moved without staging; see {@code Link}. */
  default int leastArrayBytes() {
    return Integer.MAX_VALUE;
  }

  /** The same for direct memory and files. */
  default int leastRegionBytes() {
    return Integer.MAX_VALUE;
  }

  /** How large arrays are moved, in words. */
  default String arrayPath() {
    return "staged";
  }

  /**
   * Has the kernel write without pacing from now on, if it can be told to; see {@link Pacing}. For
   * a channel whose ends are both on this host.
   */
  default void endPacing() {}

  /** What came of that, to be appended to other words. */
  default String pacing() {
    return "";
  }

  /** As {@link SocketChannel#shutdownOutput()}. */
  void shutdownOutput() throws IOException;

  /** The channel itself. */
  static SocketIo of(SocketChannel channel) {
    return new ChannelIo(channel, ChannelIo.LEAST_ARRAY_BYTES);
  }
}
