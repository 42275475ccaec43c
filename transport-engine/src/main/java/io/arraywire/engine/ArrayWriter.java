package io.arraywire.engine;

import io.arraywire.SendOptions;
import org.jspecify.annotations.Nullable;

/**
 * How arrays become bytes for a peer: chosen once, when the two sides agree. Plans are made under
 * the connection's lock, bytes by the writing thread without it. Immutable, so that connections
 * share it, unless it has a {@link #choice}.
 */
interface ArrayWriter {
  /** What arrays may be encoded with. */
  SendCodecs codecs();

  /** The most bytes of an array in one frame. */
  int chunkBytes();

  /**
   * Whether arrays travel in frames; if so the peer acknowledges them and learns of withdrawals.
   */
  boolean isFramed();

  /** Refuses what arrays cannot have in this mode, before a byte of one is sent. */
  default void check(SendOptions options) {}

  /** Whether an array is best taken by the channel straight from its own memory, past the codec. */
  boolean isArrayDirect(OutboundArray array, Link link);

  /**
   * Plans the next part of an array, and charges the credit that it costs.
   *
   * @return the part; null if the plan has no room for it
   */
  @Nullable PlannedFrame plan(BatchPlan plan, OutboundArray array, SendCredit credit, Link link);

  /** What chooses, while arrays are sent, whether they are compressed; null where nothing does. */
  default @Nullable BlockChoice choice() {
    return null;
  }

  /** Makes a part that was planned. */
  void write(PlannedFrame part, OutputBatch batch);
}
