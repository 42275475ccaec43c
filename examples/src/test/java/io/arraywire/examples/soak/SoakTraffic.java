package io.arraywire.examples.soak;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.message.Message;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoubleSupplier;

/**
 * Clients of one listener: senders of arrays and messages, callers, subscribers, and some that come
 * and go. Each connects again when its connection fails. They do so much a second and no more, so
 * the rate falls where the library gets slower and not where the machine has other work.
 */
final class SoakTraffic {
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final long BACK_OFF_NANOS = 50_000_000;
  private static final int MOST_ELEMENTS = 1 << 15;

  /**
   * A connection that the proxy delays stays slow, so it would rarely meet the next fault. With
   * longer ones the rate goes up and down by four times for minutes.
   */
  private static final long CONNECTION_NANOS = 5_000_000_000L;

  private static final double SENDS = 150;
  private static final double CALLS = 100;
  private static final double NEWCOMERS = 10;

  /** Faster than the news come. */
  private static final double RECEIVES = 200;

  private final Transport transport;
  private final SocketAddress address;
  private final AtomicLong done;
  private final DoubleSupplier slowness;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  /** Something that a client does again and again on a connection. */
  private interface Step {
    void run(Connection connection, Random random) throws ArraywireException, InterruptedException;
  }

  SoakTraffic(
      Transport transport, SocketAddress address, AtomicLong done, DoubleSupplier slowness) {
    this.transport = transport;
    this.address = address;
    this.done = done;
    this.slowness = slowness;
  }

  void begin() {
    begin("sender", random -> onConnections(SENDS, random, this::send));
    begin("caller", random -> onConnections(CALLS, random, this::call));
    begin("subscriber", this::subscribe);
    begin(
        "newcomer",
        random -> {
          Pace pace = new Pace(NEWCOMERS);
          while (!over) {
            comeAndGo(random);
            pace.await();
          }
        });
  }

  private interface Work {
    void run(Random random) throws InterruptedException;
  }

  private void begin(String name, Work work) {
    Random random = new Random(threads.size());
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run(random);
              } catch (InterruptedException e) {
                if (!over) {
                  throw new IllegalStateException(e);
                }
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void onConnections(double each, Random random, Step step) throws InterruptedException {
    Pace pace = new Pace(each);
    while (!over) {
      try (Connection connection = transport.connect(address)) {
        long begin = System.nanoTime();
        while (!over && System.nanoTime() - begin < CONNECTION_NANOS) {
          step.run(connection, random);
          done.incrementAndGet();
          pace.await();
        }
      } catch (ArraywireException e) {
        // What the proxy breaks, and the time that it takes to connect, are the soak.
        LockSupport.parkNanos(BACK_OFF_NANOS);
      }
    }
  }

  private void send(Connection connection, Random random)
      throws ArraywireException, InterruptedException {
    SendOptions options = random.nextBoolean() ? SendOptions.session() : SendOptions.processed();
    if (random.nextInt(4) > 0) {
      var unused = connection.send(slice(random), options.timeout(PATIENCE));
    } else {
      Message message = Message.of("first", slice(random)).with("second", slice(random));
      var unused = connection.send(message, options.timeout(PATIENCE));
    }
  }

  private void call(Connection connection, Random random)
      throws ArraywireException, InterruptedException {
    int[] asked = random.ints(1 + random.nextInt(1000)).toArray();
    ReceivedArray answer =
        connection.call(ArraySlice.of(asked), RequestOptions.defaults().timeout(PATIENCE));
    if (!Arrays.equals(asked, answer.ints())) {
      throw new IllegalStateException("another answer than was asked for: " + answer);
    }
  }

  private void subscribe(Random random) throws InterruptedException {
    Pace pace = new Pace(RECEIVES);
    while (!over) {
      try (Connection connection = transport.connect(address)) {
        int news = random.nextInt(500);
        try (Subscription subscription = connection.subscribe(SoakProgram.SUBJECT)) {
          for (int i = 0; i < news && !over; i++) {
            if (subscription.receive(PATIENCE) != null) {
              done.incrementAndGet();
            }
            pace.await();
          }
        }
      } catch (ArraywireException e) {
        LockSupport.parkNanos(BACK_OFF_NANOS);
      }
    }
  }

  /** Every other one leaves without a word. */
  private void comeAndGo(Random random) throws InterruptedException {
    try (Connection connection = transport.connect(address)) {
      send(connection, random);
      call(connection, random);
      if (random.nextBoolean()) {
        var unused = connection.sendAsync(slice(random));
        connection.closeNow();
      }
      done.incrementAndGet();
    } catch (ArraywireException e) {
      // As above.
    }
  }

  /** From nothing to the most, each power of two as likely as the others. */
  private static ArraySlice slice(Random random) {
    int most = 1 << random.nextInt(Integer.numberOfTrailingZeros(MOST_ELEMENTS) + 1);
    return random.nextBoolean()
        ? ArraySlice.of(new float[random.nextInt(most)])
        : ArraySlice.of(new byte[random.nextInt(most)]);
  }

  /** So often a second, and not more often after a pause that was not the caller's. */
  private final class Pace {
    private final double each;
    private long next = System.nanoTime();

    Pace(double each) {
      this.each = each;
    }

    void await() throws InterruptedException {
      long now = System.nanoTime();
      long interval = (long) (1e9 * slowness.getAsDouble() / each);
      next = Math.max(next + interval, now - TimeUnit.MILLISECONDS.toNanos(100));
      while (next - System.nanoTime() > 0) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        LockSupport.parkNanos(next - System.nanoTime());
      }
    }
  }

  /** Ends all clients, in the middle of what they do. */
  void end() throws InterruptedException {
    over = true;
    for (Thread each : threads) {
      each.interrupt();
    }
    for (Thread each : threads) {
      each.join();
    }
  }
}
