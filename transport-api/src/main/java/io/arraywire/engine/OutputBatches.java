package io.arraywire.engine;

import java.util.ArrayDeque;

/**
 * Batches without memory that connections have given back: those that are idle need none, and those
 * that are not would otherwise make a new one every time. Any thread.
 */
final class OutputBatches {
  /** More than threads that write at the same time are rare. */
  private static final int MOST_SPARE = 64;

  private final ArrayDeque<OutputBatch> spare = new ArrayDeque<>();

  synchronized OutputBatch take() {
    OutputBatch batch = spare.poll();
    return batch == null ? new OutputBatch() : batch;
  }

  synchronized void giveBack(OutputBatch batch) {
    if (spare.size() < MOST_SPARE) {
      spare.push(batch);
    }
  }
}
