package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Names a target of its own for each array, and notes where one is not what it must be. */
final class TargetNotes implements ArrayHandler, TargetHandler {
  private record Source(Connection connection, int channel) {}

  private final Map<Source, int[]> targets = new ConcurrentHashMap<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();
  private final List<Long> taken = new CopyOnWriteArrayList<>();

  /** The elements of an array with this seed. */
  static int[] numbered(int seed, int count) {
    int[] elements = new int[count];
    for (int i = 0; i < count; i++) {
      elements[i] = seed << 20 | i;
    }
    return elements;
  }

  @Override
  public ArraySlice target(Connection connection, ArrayHeader header) {
    int[] target = new int[header.count()];
    if (targets.put(new Source(connection, header.channel()), target) != null) {
      faults.add("a target was asked for before the channel's last array was handed out");
    }
    return ArraySlice.of(target);
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  public void onArray(Connection connection, ReceivedArray array) {
    int[] target = targets.remove(new Source(connection, array.header().channel()));
    if (target == null || array.slice().array() != target) {
      faults.add("an array that is not in its target (tag=" + array.tag() + ")");
    } else if (!Arrays.equals(target, numbered((int) array.tag(), target.length))) {
      faults.add("wrong elements (tag=" + array.tag() + ")");
    }
    taken.add(array.tag());
  }

  List<String> faults() {
    return faults;
  }

  /** The tags of the arrays that were handed out. */
  List<Long> taken() {
    return taken;
  }
}
