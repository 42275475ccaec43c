package io.arraywire.nio;

import io.arraywire.engine.ReadPlan;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an event loop reads with, and lends to its channels in turn. For the thread that runs the
 * loop.
 */
final class LoopMemory {
  private static final MemoryKind[] KINDS = MemoryKind.values();
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int LOOK_AHEAD_BYTES = 4 << 10;

  private final MemoryPool pool;
  private final int windowBytes;
  private final Map<MemoryKind, PooledMemory> windows = new EnumMap<>(MemoryKind.class);
  private final ByteBuffer[] targets = {NOTHING, NOTHING};
  private final ReadPlan plan = new ReadPlan();
  private @Nullable PooledMemory lookAhead;

  LoopMemory(MemoryPool pool, int windowBytes) {
    this.pool = pool;
    this.windowBytes = windowBytes;
  }

  /** The window to read into, empty. */
  ByteBuffer window(MemoryKind kind) {
    PooledMemory window = windows.get(kind);
    if (window == null) {
      window = pool.acquire(windowBytes, kind);
      windows.put(kind, window);
    }
    return window.buffer().clear();
  }

  /** Where the next bytes of the connection that reads go. */
  ReadPlan plan() {
    return plan;
  }

  /** Where the bytes after a payload go, empty. */
  ByteBuffer lookAhead() {
    if (lookAhead == null) {
      lookAhead = pool.acquire(LOOK_AHEAD_BYTES, MemoryKind.DIRECT);
    }
    return lookAhead.buffer().clear();
  }

  /** The buffers of one read, which are the loop's too, so that no connection keeps them. */
  ByteBuffer[] targets(ByteBuffer first, @Nullable ByteBuffer second) {
    targets[0] = first;
    targets[1] = second == null ? NOTHING : second;
    return targets;
  }

  /** Memory for one channel, which gives it back. */
  PooledMemory acquire(int bytes, MemoryKind kind) {
    return pool.acquire(bytes, kind);
  }

  /** Gives the window away, with what is left in it; the loop takes another when it needs one. */
  @Nullable PooledMemory detachWindow(MemoryKind kind) {
    return windows.remove(kind);
  }

  boolean isHeld() {
    return lookAhead != null || !windows.isEmpty();
  }

  /** Gives back what nobody uses. */
  void release() {
    targets[0] = NOTHING;
    targets[1] = NOTHING;
    plan.intoWindow(Integer.MAX_VALUE, 0, false);
    for (MemoryKind kind : KINDS) {
      PooledMemory window = windows.remove(kind);
      if (window != null) {
        window.release();
      }
    }
    if (lookAhead != null) {
      lookAhead.release();
      lookAhead = null;
    }
  }
}
