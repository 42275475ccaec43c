package io.arraywire.compression;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Things that threads need for a moment, kept for the next one: as many as there are processors.
 * Any thread, without a lock and without garbage.
 */
final class Spare<T> {
  private final AtomicReferenceArray<@Nullable T> slots =
      new AtomicReferenceArray<>(Math.max(2, Runtime.getRuntime().availableProcessors()));

  private final Supplier<T> maker;
  private final Consumer<T> closer;

  /**
   * Makes a store that is empty.
   *
   * @param closer gets what there is no room for
   */
  Spare(Supplier<T> maker, Consumer<T> closer) {
    this.maker = maker;
    this.closer = closer;
  }

  T take() {
    for (int i = 0; i < slots.length(); i++) {
      T thing = slots.getAndSet(i, null);
      if (thing != null) {
        return thing;
      }
    }
    return maker.get();
  }

  void giveBack(T thing) {
    for (int i = 0; i < slots.length(); i++) {
      if (slots.compareAndSet(i, null, thing)) {
        return;
      }
    }
    closer.accept(thing);
  }
}
