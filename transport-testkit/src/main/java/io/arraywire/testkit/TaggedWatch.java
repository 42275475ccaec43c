package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A handler that counts how often each tag came. */
final class TaggedWatch implements ArrayHandler {
  private final Map<Long, Integer> times = new ConcurrentHashMap<>();

  @Override
  public void onArray(Connection connection, ReceivedArray array) {
    times.merge(array.tag(), 1, Integer::sum);
  }

  int times(long tag) {
    return times.getOrDefault(tag, 0);
  }
}
