package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.process.AnsweringProcess;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A process stands still (SIGSTOP) while its event loop's thread calls request handlers, or while
 * its requests are handled so. Some handlers block, so that the loop is handed over again and
 * again, and a process stands still in the middle of that, too.
 */
@Tag("slow")
class StoppedHandlersTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int THREADS = 4;
  private static final int STOPS = 40;

  /** How long a process stands still: shorter and longer than anybody's look, and once for long. */
  private static final int MOST_MILLIS = 100;

  private static final long LONG_MILLIS = 3_000;

  /** One of so many handlers blocks, for longer than the loop waits for one. */
  private static final int BLOCKING = 500;

  private static final long BLOCKS_MILLIS = 20;

  /** Requests and answers that do not fit the buffers of their sockets: 1 MiB. */
  private static final int LARGE = 256 << 10;

  private static final int SOCKET_BYTES = 64 << 10;

  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** Answers with what came. */
  private static final class Echo implements RequestHandler {
    final Set<Thread> loops = ConcurrentHashMap.newKeySet();
    final AtomicInteger calls = new AtomicInteger();

    /** Large answers of which the sockets have not taken all. */
    final Set<CompletableFuture<Receipt>> leaving = ConcurrentHashMap.newKeySet();

    /** Calls on a thread of the loop. */
    final AtomicInteger here = new AtomicInteger();

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply)
        throws Exception {
      Thread thread = Thread.currentThread();
      boolean onLoop = thread.getName().matches("arraywire-nio-\\d+-\\d+");
      if (onLoop) {
        loops.add(thread);
        here.incrementAndGet();
      }
      if (calls.incrementAndGet() % BLOCKING == 0) {
        TimeUnit.MILLISECONDS.sleep(BLOCKS_MILLIS);
      }
      CompletableFuture<Receipt> out = reply.send(request.ints()).toCompletableFuture();
      if (request.ints().length == LARGE) {
        leaving.add(out);
        var unused = out.whenComplete((receipt, thrown) -> leaving.remove(out));
      }
    }
  }

  private static Transport transport() {
    return NioTransport.create(
        TransportOptions.builder()
            .sendBufferBytes(SOCKET_BYTES)
            .receiveBufferBytes(SOCKET_BYTES)
            .build(),
        NioOptions.builder().eventLoops(1).build());
  }

  private static Listener listen(Transport transport, Echo echo) throws Exception {
    return transport.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Handlers.ofRequests(echo));
  }

  private static int port(Listener listener) {
    return ((InetSocketAddress) listener.address()).getPort();
  }

  private static Connection connect(Transport transport, int port) throws Exception {
    return transport.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Each thread asks over a connection of its own, until it is told to end. */
  private static final class Askers {
    final AtomicBoolean ending = new AtomicBoolean();
    final AtomicInteger answered = new AtomicInteger();
    final List<Future<?>> all = new ArrayList<>();

    static Askers begin(ExecutorService threads, Transport transport, int port, int length)
        throws Exception {
      Askers askers = new Askers();
      for (int i = 0; i < THREADS; i++) {
        Connection connection = connect(transport, port);
        askers.all.add(
            threads.submit(() -> {
              for (int number = 0; !askers.ending.get(); number++) {
                askers.ask(connection, number, length);
              }
              return null;
            }));
      }
      return askers;
    }

    private void ask(Connection connection, int number, int length) throws Exception {
      int[] request = new int[length];
      request[length - 1] = number;
      int[] reply =
          connection
              .request(ArraySlice.of(request), RequestOptions.defaults().timeout(PATIENCE))
              .toCompletableFuture()
              .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .ints();
      if (reply.length != length || reply[length - 1] != number) {
        throw new IllegalStateException("not the reply (request=" + number + ")");
      }
      answered.incrementAndGet();
    }

    void awaitMore(int count) throws Exception {
      int before = answered.get();
      long start = System.nanoTime();
      while (answered.get() < before + count) {
        for (Future<?> each : all) {
          if (each.isDone()) {
            each.get();
          }
        }
        assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }

    void end() throws Exception {
      ending.set(true);
      for (Future<?> each : all) {
        each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    }
  }

  private static AnsweringProcess process(String... arguments) throws Exception {
    return new AnsweringProcess(
        StoppedHandlersTest.class, List.of(), PATIENCE.multipliedBy(2), arguments);
  }

  @Test
  void handlersOfAStoppedProcessGoOn() throws Exception {
    try (AnsweringProcess answering = process();
        Transport transport = transport()) {
      int port = Integer.parseInt(answering.line());
      Askers askers = Askers.begin(threads, transport, port, 1);
      askers.awaitMore(2_000);
      Random random = new Random(5);
      String[] before;
      long stops = System.nanoTime();
      int i = 0;
      // The loop has to be handed over; on a busy machine that takes more than forty stops.
      do {
        assertThat(System.nanoTime() - stops).isLessThan(2 * PATIENCE.toNanos());
        answering.stop();
        // How long it stands still is the fault, not a wait for something.
        TimeUnit.MILLISECONDS.sleep(i == STOPS ? LONG_MILLIS : 1 + random.nextInt(MOST_MILLIS));
        answering.goOn();
        askers.awaitMore(200);
        before = answering.ask("counts").split(" ");
        i++;
      } while (i <= STOPS || Integer.parseInt(before[0]) == 1);
      // The loop's thread still calls handlers, whichever thread that is by now.
      int here;
      long start = System.nanoTime();
      do {
        assertThat(System.nanoTime() - start).isLessThan(PATIENCE.toNanos());
        askers.awaitMore(500);
        here = Integer.parseInt(answering.ask("counts").split(" ")[1]);
      } while (here == Integer.parseInt(before[1]));
      askers.end();
    }
  }

  /** It stands still in the middle of requests, and of answers, which then have to wait. */
  @Test
  void aStoppedAskerHoldsUpNobodyElse() throws Exception {
    Echo echo = new Echo();
    try (Transport answering = transport();
        Transport transport = transport();
        Listener listener = listen(answering, echo);
        AnsweringProcess asking = process(port(listener) + "")) {
      assertThat(asking.line()).isEqualTo("asks");
      Askers askers = Askers.begin(threads, transport, port(listener), 1);
      Random random = new Random(6);
      boolean answerWaits = false;
      // Until an answer waits for all of a long stop; its askers may all be in their requests.
      for (int i = 0; i < STOPS || !answerWaits; i++) {
        askers.awaitMore(200);
        asking.stop();
        if (i < STOPS) {
          askers.awaitMore(1 + random.nextInt(100));
        } else {
          long start = System.nanoTime();
          while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS)) {
            askers.awaitMore(200);
          }
          answerWaits = !echo.leaving.isEmpty();
        }
        asking.goOn();
      }
      askers.end();
      assertThat(asking.ask("end")).isEqualTo("ended");
      assertThat(echo.here).hasPositiveValue();
    }
  }

  /**
   * The other process.
   *
   * @param arguments the port that it asks; without one it answers
   */
  public static void main(String[] arguments) throws Exception {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    try (Transport transport = transport()) {
      if (arguments.length == 0) {
        Echo echo = new Echo();
        Listener listener = listen(transport, echo);
        System.out.println(port(listener));
        while (lines.readLine() != null) {
          System.out.println(echo.loops.size() + " " + echo.here);
        }
      } else {
        ExecutorService threads = Executors.newCachedThreadPool();
        Askers askers = Askers.begin(threads, transport, Integer.parseInt(arguments[0]), LARGE);
        System.out.println("asks");
        String unused = lines.readLine();
        askers.end();
        threads.shutdown();
        System.out.println("ended");
      }
    }
  }
}
