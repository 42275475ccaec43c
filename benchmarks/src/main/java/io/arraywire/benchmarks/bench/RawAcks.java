package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Acknowledgements of the contenders without a library: one byte for each array. */
final class RawAcks {
  private static final int MOST_AT_ONCE = 1 << 12;

  private final RawSocket socket;
  private final ByteBuffer bytes = ByteBuffer.allocateDirect(MOST_AT_ONCE);

  RawAcks(RawSocket socket) {
    this.socket = socket;
  }

  /** Acknowledges some arrays. */
  void give(int arrays) throws IOException {
    for (int left = arrays; left > 0; left -= bytes.limit()) {
      socket.write(bytes.clear().limit(Math.min(left, bytes.capacity())));
    }
  }

  /**
   * Waits for acknowledgements.
   *
   * @param most how many are wanted at most
   * @return how many there were, at least one
   */
  int take(long most) throws IOException {
    return socket.readSome(bytes.clear().limit((int) Math.min(most, bytes.capacity())));
  }
}
