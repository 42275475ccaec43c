package io.arraywire.engine;

/**
 * What the library holds for an array beside its elements, as the default budget counts it. The
 * figures are sizes of objects with compressed references, rounded up.
 */
final class Bookkeeping {
  /** A transfer with its outcome, options, attributes and place in the queues. */
  static final int TRANSFER_BYTES = 384;

  /** The shared copy of a published array: its holder, and what the pool keeps for it. */
  static final int COPY_BYTES = 256;

  private Bookkeeping() {}

  /**
   * What an array that is accepted to be sent takes of a budget. One that the user has set counts
   * the elements, whosever they are. The default one counts what the library itself holds: the
   * elements of a copy that it made for this array, and its bookkeeping.
   */
  static long charge(MemoryBudget budget, OutboundArray transfer) {
    if (!budget.isDefault()) {
      return transfer.queueBytes();
    }
    return TRANSFER_BYTES + (transfer.isUnwatched ? transfer.encodedBytes : 0);
  }
}
