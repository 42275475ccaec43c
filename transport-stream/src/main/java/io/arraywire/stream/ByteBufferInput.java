package io.arraywire.stream;

import java.io.InputStream;
import java.nio.ByteBuffer;

/** Reads from a buffer until its limit. One thread. */
final class ByteBufferInput extends InputStream {
  private final ByteBuffer source;

  ByteBufferInput(ByteBuffer source) {
    this.source = source;
  }

  @Override
  public int read() {
    return source.hasRemaining() ? source.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) {
    if (length == 0) {
      return 0;
    }
    int count = Math.min(length, source.remaining());
    if (count == 0) {
      return -1;
    }
    source.get(bytes, offset, count);
    return count;
  }
}
