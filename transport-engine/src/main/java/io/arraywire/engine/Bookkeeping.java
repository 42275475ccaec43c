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

  private Bookkeeping() {}

  /**
   * What an array that is accepted to be sent takes of a budget. One that the user has set counts
   * the elements, whosever they are. The default one counts what the library itself holds: the
   * elements of a copy that it made for this array, and its bookkeeping. It counts nothing where
   * {@link HeldArrays} have counted the array.
   */
  static long charge(MemoryBudget budget, OutboundArray array) {
    if (!budget.isDefault()) {
      return array.queueBytes();
    }
    if (array.holder != null) {
      return 0;
    }
    return ARRAY_BYTES + (array.isUnwatched ? array.encodedBytes : 0);
  }
}
