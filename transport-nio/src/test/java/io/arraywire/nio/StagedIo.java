package io.arraywire.nio;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A channel that stages every array, for tests that change one thing about it. */
class StagedIo implements SocketIo {
  private final SocketIo io;

  StagedIo(SocketIo io) {
    this.io = io;
  }

  @Override
  public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
    return io.read(targets, offset, length);
  }

  @Override
  public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
    return io.write(sources, offset, length);
  }

  @Override
  public void shutdownOutput() throws IOException {
    io.shutdownOutput();
  }

  @Override
  public void close() throws IOException {
    io.close();
  }
}
