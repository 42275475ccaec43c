package io.arraywire.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds things by a number that each of them has: a map without an object for each key. Peers
 * choose numbers, so where a thing lies also depends on a secret. The engine depends on no library
 * of collections.
 *
 * <p>Not for more than one thread at a time.
 */
final class ByNumber<T> {
  private static final int LEAST = 8;

  /** A table with more places is dropped when it is empty. */
  private static final int MOST_KEPT = 64;

  private static final Object[] NONE = {};

  private final ToLongFunction<T> numberOf;
  private final long secret = ThreadLocalRandom.current().nextLong();

  /** A power of two of places; a thing lies in the first free one from that of its number on. */
  private @Nullable Object[] places = NONE;

  private int size;

  ByNumber(ToLongFunction<T> numberOf) {
    this.numberOf = numberOf;
  }

  int size() {
    return size;
  }

  @SuppressWarnings("unchecked") // Nothing else is put in.
  @Nullable T get(long number) {
    if (size == 0) {
      return null;
    }
    return (T) places[find(number)];
  }

  boolean has(long number) {
    return get(number) != null;
  }

  /** Adds a thing, in the place of one with the same number. */
  void put(T thing) {
    if (2 * (size + 1) > places.length) {
      grow();
    }
    int at = find(numberOf.applyAsLong(thing));
    size += places[at] == null ? 1 : 0;
    places[at] = thing;
  }

  /** Takes out that very thing; returns false if it is not in here. */
  @SuppressWarnings("ReferenceEquality") // As it says.
  boolean remove(T thing) {
    if (size == 0) {
      return false;
    }
    int at = find(numberOf.applyAsLong(thing));
    if (places[at] != thing) {
      return false;
    }
    size--;
    if (size == 0 && places.length > MOST_KEPT) {
      places = NONE;
    } else {
      close(at);
    }
    return true;
  }

  /** All of them, in the order of their numbers. */
  @SuppressWarnings("unchecked") // As above.
  List<T> all() {
    List<T> all = new ArrayList<>(size);
    for (Object each : places) {
      if (each != null) {
        all.add((T) each);
      }
    }
    all.sort(Comparator.comparingLong(numberOf));
    return all;
  }

  /** Where the thing of a number is, or would be. There is a free place. */
  @SuppressWarnings("unchecked") // As above.
  private int find(long number) {
    int at = first(number);
    for (Object there = places[at];
        there != null && numberOf.applyAsLong((T) there) != number;
        there = places[at]) {
      at = next(at);
    }
    return at;
  }

  /** The finish of MurmurHash3, which mixes all bits. */
  private int first(long number) {
    long mixed = number ^ secret;
    mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return (int) (mixed ^ (mixed >>> 33)) & (places.length - 1);
  }

  private int next(int at) {
    return (at + 1) & (places.length - 1);
  }

  private void grow() {
    @Nullable Object[] before = places;
    places = new Object[Math.max(LEAST, 2 * before.length)];
    for (Object each : before) {
      if (each != null) {
        places[find(number(each))] = each;
      }
    }
  }

  @SuppressWarnings("unchecked") // As above.
  private long number(Object thing) {
    return numberOf.applyAsLong((T) thing);
  }

  /** Frees a place. What lies behind it, and would lie there or before, moves up. */
  private void close(int place) {
    int free = place;
    places[free] = null;
    for (int at = next(free); places[at] != null; at = next(at)) {
      Object thing = places[at];
      int first = thing == null ? at : first(number(thing));
      boolean stays = free <= at ? free < first && first <= at : free < first || first <= at;
      if (!stays) {
        places[free] = thing;
        places[at] = null;
        free = at;
      }
    }
  }
}
