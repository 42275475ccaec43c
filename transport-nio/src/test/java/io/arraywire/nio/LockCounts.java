package io.arraywire.nio;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts where the classes of one {@link LockCountingLoader} take locks. Any thread. */
public final class LockCounts {
  private static final Map<String, LongAdder> PLACES = new ConcurrentHashMap<>();

  private static volatile boolean counting;

  private LockCounts() {}

  /** A lock or monitor was taken; calls of this are what the loader puts into classes. */
  public static void taken(String place) {
    if (counting) {
      PLACES.computeIfAbsent(place, key -> new LongAdder()).increment();
    }
  }

  /** Begins to count from 0. */
  public static void begin() {
    PLACES.clear();
    counting = true;
  }

  /** Ends counting; returns how often locks were taken. */
  public static long end() {
    counting = false;
    return PLACES.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Where, most often first. */
  public static String places() {
    return PLACES.entrySet().stream()
        .sorted((a, b) -> Long.compare(b.getValue().sum(), a.getValue().sum()))
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
