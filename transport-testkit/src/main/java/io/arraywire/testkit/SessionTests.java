package io.arraywire.testkit;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Channel;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What tests of sessions have in common: two ends, a cable that breaks, and handlers that take
 * notes.
 */
interface SessionTests {
  Duration HOUR = Duration.ofHours(1);

  TransportStage stage();

  /** Lays a cable to a listener. */
  Cable cable(SocketAddress listener) throws Exception;

  static TransportOptions.Builder sessions(TransportOptions.Builder options) {
    return options.sessionTimeout(HOUR);
  }

  /** Both ends of a session, and what lies between them. */
  record Line(Cable cable, Connection here, Transport there) {}

  default Line lineTo(UnaryOperator<TransportOptions.Builder> change, Handlers handlers)
      throws Exception {
    Transport there = stage().transport(change);
    Cable cable = stage().closing(cable(there.listen(stage().address(), handlers).address()));
    return new Line(cable, stage().transport(change).connect(cable.address()), there);
  }

  default Line lineTo(UnaryOperator<TransportOptions.Builder> change, ArrayHandler handler)
      throws Exception {
    return lineTo(change, Handlers.ofArrays(handler));
  }

  default Line lineTo(ArrayHandler handler) throws Exception {
    return lineTo(SessionTests::sessions, Handlers.ofArrays(handler));
  }

  /** Notes what it is given, and how it was told of the end. */
  class Notes implements ArrayHandler {
    final Map<Integer, List<Long>> tags = new ConcurrentHashMap<>();
    final AtomicInteger count = new AtomicInteger();
    final List<String> ends = new CopyOnWriteArrayList<>();
    final AtomicInteger inHand = new AtomicInteger();
    private volatile @Nullable Connection connection;

    @Override
    public void onArray(Connection from, ReceivedArray array) throws Exception {
      if (array.header().channel() == 0 && inHand.incrementAndGet() != 1) {
        ends.add("two arrays of one channel at a time");
      }
      connection = from;
      int[] elements = array.ints();
      long tag = array.tag();
      for (int element : elements) {
        if (element != (int) tag) {
          throw new IllegalStateException("array " + tag + " holds an element of " + element);
        }
      }
      tags.computeIfAbsent(array.header().channel(), id -> new CopyOnWriteArrayList<>()).add(tag);
      count.incrementAndGet();
      took();
      if (array.header().channel() == 0) {
        inHand.decrementAndGet();
      }
    }

    void took() throws Exception {}

    /** The connection that it has had arrays from, in words. */
    String describe() {
      Connection from = connection;
      return from == null ? "" : from.describe();
    }

    @Override
    public void onClosed(Connection from, @Nullable ArraywireException why) {
      try {
        var unused = from.agreement();
      } catch (IllegalStateException e) {
        // It broke before it could say which session it was to go on with.
        return;
      }
      ends.add(why == null ? "orderly" : why.code().name());
    }
  }

  /** Keeps what it is given until it may go on. */
  final class Holding extends Notes {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    void took() throws InterruptedException {
      begun.countDown();
      goOn.await();
    }
  }

  static ArraySlice numbered(int number) {
    int[] array = new int[number % 200 == 0 ? 60_000 : number % 97];
    Arrays.fill(array, number);
    return ArraySlice.of(array);
  }

  static List<Long> numbers(int count) {
    List<Long> all = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      all.add(i);
    }
    return all;
  }

  static List<CompletionStage<Receipt>> sendNumbered(Channel channel, int count) {
    List<CompletionStage<Receipt>> sent = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sent.add(channel.sendAsync(numbered(i), SendOptions.session().tag(i)));
    }
    return sent;
  }

  /** Waits until one end has noticed that its connection is gone. */
  static void awaitOutage(Connection end) {
    Eventually.until("it is noticed", () -> end.describe().contains("connecting again"));
  }
}
