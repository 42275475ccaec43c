package io.arraywire.spi;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A pool that remembers where each piece of memory was acquired, and names the place if the memory
 * is not given back. For a {@link io.arraywire.LeasedArray} it names the call that received it. For
 * tests and for finding a leak; it costs a stack trace per acquisition and per lease. Any thread
 * may call any method.
 */
public final class TrackingMemoryPool implements MemoryPool {
  private final MemoryPool pool;
  private final Map<Tracked, Site> out = new ConcurrentHashMap<>();

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
    out.put(tracked, new Site("acquired"));
    return tracked;
  }

  @Override
  public long acquiredBytes() {
    return out.keySet().stream().mapToLong(tracked -> tracked.bytes).sum();
  }

  /**
   * What is out now, and where it was acquired, or received as a lease.
   *
   * @return a line for each piece of memory and, indented, the frames that acquired it; empty if
   *     nothing is out
   */
  public String leaks() {
    StringBuilder report = new StringBuilder();
    out.forEach((tracked, site) -> {
      report.append(tracked.bytes).append(" bytes ").append(site.verb);
      report.append(System.lineSeparator());
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
          "memory was not given back; close each LeasedArray, best with try (acquiredBytes="
              + acquiredBytes()
              + ")"
              + System.lineSeparator()
              + leaks);
    }
    pool.close();
  }

  /** A stack, and what happened there. */
  private static final class Site extends Throwable {
    private static final long serialVersionUID = 1;

    final String verb;

    Site(String verb) {
      this.verb = verb;
    }
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
    public void handedOver() {
      memory.handedOver();
      out.replace(this, new Site("received in a LeasedArray that is not closed"));
    }

    @Override
    public void release() {
      memory.release();
      out.remove(this);
    }
  }
}
