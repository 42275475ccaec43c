package io.arraywire.stream;

import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Writes into a buffer, except for bytes that it was told to drop. One thread. */
final class ByteBufferOutput extends OutputStream {
  private final ByteBuffer target;
  private int toDrop;

  ByteBufferOutput(ByteBuffer target) {
    this.target = target;
  }

  /** Drops the next bytes that are written. */
  void drop(int bytes) {
    toDrop += bytes;
  }

  /** How many bytes are still to be dropped. */
  int toDrop() {
    return toDrop;
  }

  @Override
  public void write(int b) {
    if (toDrop > 0) {
      toDrop--;
    } else {
      target.put((byte) b);
    }
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    int dropped = Math.min(toDrop, length);
    toDrop -= dropped;
    target.put(bytes, offset + dropped, length - dropped);
  }
}
