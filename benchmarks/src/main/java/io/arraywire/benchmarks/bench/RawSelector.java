package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The best loop over many sockets that can be written by hand without a library. Each end has one
 * thread with a {@link java.nio.channels.Selector}, which sleeps when there is nothing to do. All
 * arrays go through one direct buffer there that stays in the processor's cache. Before the
 * elements goes an {@code int}, their number; back comes one byte.
 */
record RawSelector() implements ConnectionsContender {
  static final int HEADER_BYTES = Integer.BYTES;

  /** As {@link RawStaged} has it where it sleeps. */
  static final int CHUNK_BYTES = 256 << 10;

  static ByteBuffer chunk() {
    return chunk(CHUNK_BYTES);
  }

  static ByteBuffer chunk(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public String name() {
    return ConnectionsContenders.BASELINE;
  }

  @Override
  public String summary() {
    return "plain sockets, one Selector loop at each end, float[] through a direct buffer";
  }

  @Override
  public Receiver listen(Targets targets) throws IOException {
    return RawSelectorReceiver.start(targets);
  }

  @Override
  public Sender connect(int port, float[][] sources) throws IOException {
    return RawSelectorSender.connect(port, sources);
  }
}
