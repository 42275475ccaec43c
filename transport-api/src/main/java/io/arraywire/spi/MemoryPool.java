package io.arraywire.spi;

/**
 * Lends out buffers. Any thread may call any method.
 *
 * <p>A pool that is closed while memory is out reports every leak with the place where it was
 * acquired, if it tracks them; see {@link TrackingMemoryPool}.
 */
public interface MemoryPool extends AutoCloseable {

  /**
   * Takes memory.
   *
   * @param bytes how much, at least 1
   * @param kind where it should lie; a pool that does not have the kind gives the other
   * @return memory of exactly that size, to be released by the caller
   * @throws OutOfMemoryError if there is none
   */
  PooledMemory acquire(int bytes, MemoryKind kind);

  /**
   * Takes memory as {@link #acquire} does. If the pool is able to, it uses the object of a loan
   * that the caller has given back. So a caller that takes memory again and again makes no garbage.
   *
   * @param released a loan of this pool that the caller alone still has, and has released
   * @param bytes how much, at least 1
   * @param kind where it should lie
   * @return memory as from {@link #acquire}, in {@code released} or another object
   * @throws OutOfMemoryError if there is none
   */
  default PooledMemory acquireAgain(PooledMemory released, int bytes, MemoryKind kind) {
    return acquire(bytes, kind);
  }

  /**
   * The memory that is out.
   *
   * @return bytes acquired and not yet released
   */
  long acquiredBytes();

  /**
   * Ends the pool.
   *
   * @throws IllegalStateException if memory is still out, naming how much, and where it was
   *     acquired where that is tracked
   */
  @Override
  void close();

  /**
   * The failure that {@link #close()} throws while memory is out. It says what to do.
   *
   * @param acquiredBytes bytes that are out
   * @return the exception, to be thrown by a pool
   */
  static IllegalStateException stillOut(long acquiredBytes) {
    return new IllegalStateException(
        "memory was not given back, most likely that of a LeasedArray; close each, or set"
            + " memoryPool to a TrackingMemoryPool to find it (acquiredBytes="
            + acquiredBytes
            + ")");
  }
}
