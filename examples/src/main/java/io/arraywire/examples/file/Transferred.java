package io.arraywire.examples.file;

/** Told of each operation of a channel that moved bytes. */
@FunctionalInterface
public interface Transferred {

  /**
   * Bytes were moved.
   *
   * @param bytes how many
   */
  void moved(long bytes);
}
