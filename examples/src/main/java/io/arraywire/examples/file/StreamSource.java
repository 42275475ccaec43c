package io.arraywire.examples.file;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** {@link SendTechnique#STREAM}. */
final class StreamSource extends StagedSource {
  private final byte[] array;
  private final FileInputStream in;
  private final OutputStream out;

  /** Where the next byte of the stream lies in the file. */
  private long next;

  StreamSource(Path file, SocketChannel to, Transferred transferred) throws IOException {
    this(new FileInputStream(file.toFile()), to, new byte[CHECKED_BYTES], transferred);
  }

  private StreamSource(
      FileInputStream in, SocketChannel to, byte[] array, Transferred transferred) {
    // The channel of a stream closes it.
    super(in.getChannel(), ByteBuffer.wrap(array), to, transferred);
    this.array = array;
    this.in = in;
    // A socket of java.net has none for Unix domain sockets; this one writes arrays just as well.
    out = Channels.newOutputStream(to);
  }

  @Override
  int read(long position, ByteBuffer into) throws IOException {
    if (position != next) {
      file.position(position);
    }
    int read = in.read(array, into.position(), into.remaining());
    if (read > 0) {
      into.position(into.position() + read);
      next = position + read;
    }
    return read;
  }

  @Override
  void write(ByteBuffer from) throws IOException {
    out.write(array, from.position(), from.remaining());
  }
}
