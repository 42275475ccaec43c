package io.arraywire.spi;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A pool that remembers where each piece of memory was acquired, and names what was not given back.
 * For tests and for finding a leak; it costs a stack trace per acquisition.
 */
public final class TrackingMemoryPool implements MemoryPool {
  private final MemoryPool pool;
  private final Map<Tracked, Throwable> out = new ConcurrentHashMap<>();

  private TrackingMemoryPool(MemoryPool pool) {
    this.pool = pool;
  }

  /**
   * Tracks another pool.
   *
   * @param pool the pool that has the memory, closed with this one
   * @return the tracking pool
   */
  public static TrackingMemoryPool around(MemoryPool pool) {
    return new TrackingMemoryPool(pool);
  }

  @Override
  public PooledMemory acquire(int bytes, MemoryKind kind) {
    Tracked tracked = new Tracked(pool.acquire(bytes, kind), bytes);
    out.put(tracked, new Throwable());
    return tracked;
  }

  @Override
  public long acquiredBytes() {
    return out.keySet().stream().mapToLong(tracked -> tracked.bytes).sum();
  }

  /**
   * What is out now, and where it was acquired.
   *
   * @return a line for each piece of memory and, indented, the frames that acquired it; empty if
   *     nothing is out
   */
  public String leaks() {
    StringBuilder report = new StringBuilder();
    out.forEach((tracked, site) -> {
      report.append(tracked.bytes).append(" bytes acquired").append(System.lineSeparator());
      StackTraceElement[] frames = site.getStackTrace();
      for (int i = 1; i < frames.length && i < 24; i++) {
        report.append("    at ").append(frames[i]).append(System.lineSeparator());
      }
    });
    return report.toString();
  }

  @Override
  public void close() {
    String leaks = leaks();
    if (!leaks.isEmpty()) {
      throw new IllegalStateException(
          "memory was not given back (acquiredBytes="
              + acquiredBytes()
              + ")"
              + System.lineSeparator()
              + leaks);
    }
    pool.close();
  }

  private final class Tracked implements PooledMemory {
    private final PooledMemory memory;
    private final int bytes;

    Tracked(PooledMemory memory, int bytes) {
      this.memory = memory;
      this.bytes = bytes;
    }

    @Override
    public ByteBuffer buffer() {
      return memory.buffer();
    }

    @Override
    public void release() {
      memory.release();
      out.remove(this);
    }
  }
}
