package io.arraywire.engine;

/**
 * What the library holds for an array beside its elements, as the default budget counts it. The
 * figures are sizes of objects with compressed references, rounded up.
 */
final class Bookkeeping {
  /**
   * An array's {@link OutboundArray} with its outcome, options, attributes and place in the queues.
   */
  static final int ARRAY_BYTES = 384;

  /** The shared copy of a published array: its holder, and what the pool keeps for it. */
  static final int COPY_BYTES = 256;

  /** From how many bytes on {@link HeldArrays} counts an array, once for all peers. */
  static final int LARGE = 16 << 10;

  private Bookkeeping() {}

  /** What an array of a caller that does not wait takes as a part of its connection's share. */
  static long ofCaller(long bytes) {
    return ARRAY_BYTES + (bytes < LARGE ? bytes : 0);
  }

  /**
   * What an array that is accepted to be sent takes of a budget. One that the user has set counts
   * the elements, whosever they are. The default one counts what the library holds: the elements of
   * a copy that it made for this array, those of a caller that does not wait, where {@link
   * HeldArrays} does not count them, and its bookkeeping.
   */
  static long charge(MemoryBudget budget, OutboundArray array) {
    if (!budget.isDefault()) {
      return array.queueBytes();
    }
    return array.timed
        ? ofCaller(array.encodedBytes)
        : ARRAY_BYTES + (array.isUnwatched ? array.encodedBytes : 0);
  }
}
