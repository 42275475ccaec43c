package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects that connections need while bytes move, and have given back. Idle connections hold none;
 * busy ones would otherwise make a new one every time. Any thread.
 */
final class ObjectPool<T> {
  /** More than threads that move bytes at the same time are rare. */
  private static final int MOST_SPARE = 64;

  private final Supplier<T> maker;

  /** What was given back last, which mostly is what is taken next. */
  private final AtomicReference<@Nullable T> last = new AtomicReference<>();

  /** The others. */
  @GuardedBy("this")
  private final ArrayDeque<T> others = new ArrayDeque<>();

  ObjectPool(Supplier<T> maker) {
    this.maker = maker;
  }

  T take() {
    T next = last.getAndSet(null);
    return next == null ? takeOther() : next;
  }

  private synchronized T takeOther() {
    T next = others.poll();
    return next == null ? maker.get() : next;
  }

  void giveBack(T thing) {
    T other = last.getAndSet(thing);
    if (other != null) {
      keep(other);
    }
  }

  private synchronized void keep(T other) {
    if (others.size() < MOST_SPARE - 1) {
      others.push(other);
    }
  }
}
