package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;

/** What all techniques share: the file, open, and where its bytes go. */
abstract class ChannelSource implements FileSource {
  final FileChannel file;
  final SocketChannel to;
  final Transferred transferred;

  /**
   * Begins.
   *
   * @param file closed with this
   */
  ChannelSource(FileChannel file, SocketChannel to, Transferred transferred) {
    this.file = file;
    this.to = to;
    this.transferred = transferred;
  }

  @Override
  public final long size() throws IOException {
    return file.size();
  }

  @Override
  public final void close() throws IOException {
    file.close();
  }
}
