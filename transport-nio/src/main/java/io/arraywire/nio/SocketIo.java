package io.arraywire.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Reads and writes of one nonblocking channel. Stands between the link and its channel so that a
 * test can make reads and writes short, slow or failing.
 */
interface SocketIo {

  /** As {@link SocketChannel#read(ByteBuffer[], int, int)}. */
  long read(ByteBuffer[] targets, int offset, int length) throws IOException;

  /** As {@link SocketChannel#write(ByteBuffer[], int, int)}. */
  long write(ByteBuffer[] sources, int offset, int length) throws IOException;

  /** The channel itself. */
  static SocketIo of(SocketChannel channel) {
    return new SocketIo() {
      @Override
      public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return length == 1 ? channel.read(targets[offset]) : channel.read(targets, offset, length);
      }

      @Override
      public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return length == 1
            ? channel.write(sources[offset])
            : channel.write(sources, offset, length);
      }
    };
  }
}
