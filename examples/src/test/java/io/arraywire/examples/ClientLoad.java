package io.arraywire.examples;

import io.arraywire.ArraywireException;
import io.arraywire.SendOptions;
import io.arraywire.client.ArraywireClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads that send and ask, each some hundred times a second, and what became of each call. They
 * leave CPU time to a server that starts beside them.
 */
final class ClientLoad implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = 2_000_000;

  /** A call that failed, with when it began and ended, in milliseconds of the wall clock. */
  record Failure(long began, long ended, Throwable cause) {}

  final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
  final AtomicLong answered = new AtomicLong();
  final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
  private final AtomicLong tags = new AtomicLong();
  private final ArraywireClient client;
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean over;

  ClientLoad(ArraywireClient client, int senders, int askers) {
    this.client = client;
    for (int i = 0; i < senders; i++) {
      start(this::send);
    }
    for (int i = 0; i < askers; i++) {
      start(this::ask);
    }
  }

  /** One call. */
  private interface Call {
    void make() throws ArraywireException, InterruptedException;
  }

  private void start(Call call) {
    Thread thread = new Thread(() -> repeat(call), "load");
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void repeat(Call call) {
    while (!over) {
      LockSupport.parkNanos(PAUSE_NANOS);
      long began = System.currentTimeMillis();
      try {
        call.make();
      } catch (InterruptedException e) {
        return;
      } catch (ArraywireException | RuntimeException | Error e) {
        failures.add(new Failure(began, System.currentTimeMillis(), e));
      }
    }
  }

  private void send() throws ArraywireException, InterruptedException {
    long tag = tags.incrementAndGet();
    client.send(new float[64], SendOptions.processed().tag(tag).timeout(PATIENCE));
    acknowledged.add(tag);
  }

  private void ask() throws ArraywireException, InterruptedException {
    int number = (int) tags.incrementAndGet();
    int[] reply = client.call(new int[] {number}, PATIENCE).ints();
    if (reply.length != 1 || reply[0] != number) {
      throw new AssertionError("another request's answer (number=" + number + ")");
    }
    answered.incrementAndGet();
  }

  /** Calls that were done. */
  long done() {
    return acknowledged.size() + answered.get();
  }

  /** Begins no further calls, and waits for those that were begun. */
  void end() throws InterruptedException {
    close();
    for (Thread thread : threads) {
      thread.join(2 * PATIENCE.toMillis());
      if (thread.isAlive()) {
        throw new AssertionError("a call does not end: " + List.of(thread.getStackTrace()));
      }
    }
  }

  /** Begins no further calls. */
  @Override
  public void close() {
    over = true;
  }
}
