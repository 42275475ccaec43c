package io.arraywire.spi;

import java.nio.ByteBuffer;

/** Memory on loan from a {@link MemoryPool}. One thread at a time. */
public interface PooledMemory {

  /**
   * The memory.
   *
   * @return always the same buffer; its position, limit and order are the borrower's to change
   * @throws IllegalStateException if it was released
   */
  ByteBuffer buffer();

  /**
   * Tells the pool that the calling thread has received the memory in a {@link
   * io.arraywire.LeasedArray}. A pool that looks for leaks remembers where; others do nothing.
   */
  default void handedOver() {}

  /**
   * Gives the memory back; the buffer must not be used afterwards.
   *
   * @throws IllegalStateException if it was released before
   */
  void release();
}
