package io.arraywire.nio;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/** Counts what the classes of one {@link CountingLoader} do, by its place. Any thread. */
public final class SideCounts {
  private static final Map<String, LongAdder> PLACES = new ConcurrentHashMap<>();

  private static volatile boolean counting;

  private SideCounts() {}

  /** Something was done; calls of this are what the loader puts into classes. */
  public static void done(String place) {
    if (counting) {
      PLACES.computeIfAbsent(place, key -> new LongAdder()).increment();
    }
  }

  /** Begins to count from 0. */
  public static void begin() {
    PLACES.clear();
    counting = true;
  }

  /** Ends counting; returns how often anything was done. */
  public static long end() {
    counting = false;
    return PLACES.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** The places where something was done so often at least, in order. */
  public static List<String> placesOf(int times) {
    return PLACES.entrySet().stream()
        .filter(place -> place.getValue().sum() >= times)
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  /** Where, most often first. */
  public static String places() {
    return PLACES.entrySet().stream()
        .sorted((a, b) -> Long.compare(b.getValue().sum(), a.getValue().sum()))
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining(", "));
  }
}
