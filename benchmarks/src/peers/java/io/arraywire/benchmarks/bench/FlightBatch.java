package io.arraywire.benchmarks.bench;

import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.function.Consumer;
import org.apache.arrow.flight.OutboundStreamListener;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** How floats get into a batch of Arrow Flight, at either end. */
final class FlightBatch {
  /** The most in one batch. */
  static final int ELEMENTS = 64 << 10;

  private FlightBatch() {}

  /**
   * Sends a batch of one column.
   *
   * @param root holds the column
   * @param count how many floats
   * @param filler puts so many into a buffer
   * @param stream where the batch goes
   */
  @SuppressWarnings("ThreadPriorityCheck") // Yielding is better than what Flight does, as below.
  static void send(
      VectorSchemaRoot root,
      int count,
      Consumer<FloatBuffer> filler,
      OutboundStreamListener stream) {
    Float4Vector elements = (Float4Vector) root.getVector(0);
    elements.allocateNew(count);
    filler.accept(
        elements
            .getDataBuffer()
            .nioBuffer(0, count * Float.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .asFloatBuffer());
    elements.getValidityBuffer().setOne(0L, (count + 7L) / Byte.SIZE);
    elements.setValueCount(count);
    root.setRowCount(count);
    // Flight itself would poll without leaving the processor to the event loop.
    while (!stream.isReady()) {
      Thread.yield();
    }
    stream.putNext();
  }
}
