package io.arraywire.nio;

import io.arraywire.chaos.delivery.DeliverySender;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link DeliverySender} whose heap holds so many small objects, each of which refers to another,
 * that a collection of all of it takes long, and is done for each byte of the standard input. The
 * argument {@code ballast=} says how many.
 */
final class BallastedSender {
  private static final String BALLAST = "ballast=";

  /** As long as the process lives. */
  private static @Nullable Link last;

  /** One object of the chain: the collector has to go from each to the next. */
  private record Link(@Nullable Link next, long number) {}

  private BallastedSender() {}

  /** Has all of the heap collected for each byte of the standard input. */
  private static void collect() {
    try {
      while (System.in.read() >= 0) {
        System.gc();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void main(String... arguments) throws Exception {
    List<String> others = new ArrayList<>();
    for (String each : arguments) {
      if (each.startsWith(BALLAST)) {
        long count = Long.parseLong(each.substring(BALLAST.length()));
        for (long i = 0; i < count; i++) {
          last = new Link(last, i);
        }
      } else {
        others.add(each);
      }
    }
    Thread collecting = new Thread(BallastedSender::collect, "collecting");
    collecting.setDaemon(true);
    collecting.start();
    DeliverySender.main(others.toArray(String[]::new));
  }
}
