package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Reply;
import io.arraywire.RequestHandler;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.testkit.TestAuthority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Request handlers that the event loop's own thread calls, and that may do as all others may. */
@Tag("alone")
class LoopHandlersTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int CALLS = 300;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch over = new CountDownLatch(1);
  private final Probe probe = new Probe();
  private final List<AutoCloseable> open = new ArrayList<>();

  /** What a handler does on the loop's thread. */
  private interface Action {
    void with(Connection connection) throws Exception;
  }

  /** Answers, and once does something else before, when it is called on the loop's thread. */
  private static final class Probe implements RequestHandler {
    final Set<Thread> at = ConcurrentHashMap.newKeySet();
    final AtomicReference<@Nullable Action> next = new AtomicReference<>();

    @Override
    public void onRequest(Connection connection, ReceivedArray request, Reply reply)
        throws Exception {
      at.add(Thread.currentThread());
      if (isLoops(Thread.currentThread())) {
        Action action = next.getAndSet(null);
        if (action != null) {
          action.with(connection);
        }
      }
      var unused = reply.send(request.ints());
    }
  }

  private static boolean isLoops(Thread thread) {
    return thread.getName().matches("arraywire-nio-\\d+-\\d+");
  }

  static Stream<Supplier<WaitStrategy>> strategies() {
    return Stream.of(WaitStrategy::sleeping, () -> WaitStrategy.adaptive(Duration.ofMillis(1)));
  }

  @AfterEach
  void end() throws Exception {
    over.countDown();
    Collections.reverse(open);
    for (AutoCloseable each : open) {
      each.close();
    }
    threads.shutdownNow();
  }

  private Transport transport(
      Supplier<WaitStrategy> strategy, UnaryOperator<TransportOptions.Builder> options) {
    Transport made =
        NioTransport.create(
            options.apply(TransportOptions.builder()).build(),
            NioOptions.builder().eventLoops(1).waitStrategy(strategy).build());
    open.add(made);
    return made;
  }

  private Transport transport() {
    return transport(() -> WaitStrategy.adaptive(Duration.ofMillis(1)), options -> options);
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private Connection connected(Transport transport) throws Exception {
    return connected(transport, Handlers.ofRequests(probe));
  }

  /** From another transport, as from another process. */
  private Connection connected(Transport transport, Handlers handlers) throws Exception {
    return another(transport.listen(anyPort(), handlers));
  }

  private Connection another(Listener listener) throws Exception {
    open.add(listener);
    Connection connection = transport().connect(listener.address());
    open.add(connection);
    return connection;
  }

  private static CompletableFuture<ReceivedArray> ask(Connection connection, int number) {
    return connection
        .request(ArraySlice.of(new int[] {number}), RequestOptions.defaults())
        .toCompletableFuture();
  }

  private static void assertAnswers(Connection connection, int calls) throws Exception {
    for (int i = 0; i < calls; i++) {
      assertThat(ask(connection, i).get(60, TimeUnit.SECONDS).ints()).containsExactly(i);
    }
  }

  /** Asks until the loop's thread calls the handler, which then acts; returns that request. */
  private CompletableFuture<ReceivedArray> askUntilOnLoop(Connection connection, Action action)
      throws Exception {
    CompletableFuture<Thread> begun = new CompletableFuture<>();
    probe.next.set(at -> {
      begun.complete(Thread.currentThread());
      action.with(at);
    });
    long start = System.nanoTime();
    while (true) {
      CompletableFuture<ReceivedArray> reply = ask(connection, 7);
      while (!reply.isDone() && !begun.isDone()) {
        // Not in line for the reply: it may not come before the test goes on.
        Thread.onSpinWait();
        assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
      }
      if (begun.isDone()) {
        return reply;
      }
    }
  }

  private void blocks() throws InterruptedException {
    assertThat(over.await(60, TimeUnit.SECONDS)).isTrue();
  }

  private static List<Thread> leftBehind() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().matches("arraywire-nio-\\d+-\\d+-handler"))
        .toList();
  }

  @Test
  void whereCallsAreShortTheLoopsThreadMakesThem() throws Exception {
    Connection connection = connected(transport());
    CompletableFuture<ReceivedArray> reply = askUntilOnLoop(connection, at -> {});
    assertThat(reply.get(60, TimeUnit.SECONDS).ints()).containsExactly(7);
    assertAnswers(connection, CALLS);
  }

  @Test
  void overTlsToo(@TempDir Path folder) throws Exception {
    TestAuthority authority = TestAuthority.named("arraywire test");
    TestAuthority.Identity identity = authority.issue("both", "localhost", "127.0.0.1");
    Tls tls =
        Tls.server(
                identity.writeCertificate(folder.resolve("both.pem")),
                identity.writeKey(folder.resolve("both.key")))
            .trust(authority.write(folder.resolve("ca.pem")));
    Supplier<WaitStrategy> strategy = () -> WaitStrategy.adaptive(Duration.ofMillis(1));
    Listener listener =
        transport(strategy, options -> options.tls(tls))
            .listen(anyPort(), Handlers.ofRequests(probe));
    open.add(listener);
    Connection connection =
        transport(strategy, options -> options.tls(tls)).connect(listener.address());
    open.add(connection);
    CompletableFuture<ReceivedArray> blocked = askUntilOnLoop(connection, at -> blocks());
    assertThat(connection.isOpen()).isTrue();
    over.countDown();
    assertThat(blocked.get(60, TimeUnit.SECONDS).ints()).containsExactly(7);
    assertAnswers(connection, CALLS);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void aHandlerThatBlocksHoldsUpNobodyElse(Supplier<WaitStrategy> strategy) throws Exception {
    Transport answering = transport(strategy, options -> options);
    Listener listener = answering.listen(anyPort(), Handlers.ofRequests(probe));
    Connection connection = another(listener);
    Connection other = transport().connect(listener.address());
    open.add(other);
    CompletableFuture<ReceivedArray> blocked = askUntilOnLoop(connection, at -> blocks());
    // Requests, and what only the loop's thread does: another connection, of its own or not.
    assertAnswers(other, CALLS);
    assertAnswers(connected(answering), CALLS);
    assertThat(blocked).isNotDone();
    // What waits behind it on its channel.
    List<CompletableFuture<ReceivedArray>> behind = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      behind.add(ask(connection, i));
    }
    over.countDown();
    assertThat(blocked.get(60, TimeUnit.SECONDS).ints()).containsExactly(7);
    for (int i = 0; i < behind.size(); i++) {
      assertThat(behind.get(i).get(60, TimeUnit.SECONDS).ints()).containsExactly(i);
    }
    await().atMost(LONG).until(() -> leftBehind().isEmpty());
  }

  /** With traffic of others on the loop, when a caller alone leaves the loop to its thread. */
  @ParameterizedTest
  @MethodSource("strategies")
  void aHandlerMaySendAndAskOnItsOwnConnection(Supplier<WaitStrategy> strategy) throws Exception {
    Transport answering = transport(strategy, options -> options);
    Listener listener = answering.listen(anyPort(), Handlers.ofRequests(probe));
    open.add(listener);
    AtomicInteger taken = new AtomicInteger();
    Connection connection =
        transport()
            .connect(
                listener.address(),
                Handlers.ofRequests(
                        (from, request, reply) -> {
                          var unused = reply.send(new int[] {request.ints()[0] + 1});
                        })
                    .withArrays((from, array) -> taken.addAndGet(array.count())));
    open.add(connection);
    AtomicBoolean ended = new AtomicBoolean();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      Connection other = another(listener);
      others.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  while (!ended.get()) {
                    assertAnswers(other, 10);
                  }
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              threads));
    }
    for (int i = 1; i <= 5; i++) {
      CompletableFuture<int[]> nested = new CompletableFuture<>();
      CompletableFuture<ReceivedArray> reply =
          askUntilOnLoop(
              connection,
              at -> {
                // Of whichever connection this is, the far side of one takes no requests.
                if (at.remoteAddress().equals(connection.localAddress())) {
                  at.send(new int[3], SendOptions.processed());
                  nested.complete(ask(at, 5).get(60, TimeUnit.SECONDS).ints());
                } else {
                  nested.complete(new int[] {6});
                }
              });
      assertThat(nested.get(60, TimeUnit.SECONDS)).containsExactly(6);
      assertThat(reply.get(60, TimeUnit.SECONDS).ints()).containsExactly(7);
    }
    ended.set(true);
    for (CompletableFuture<Void> each : others) {
      each.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void callsOfAChannelKeepTheirOrderOnEveryThread() throws Exception {
    List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    Set<Boolean> onLoop = ConcurrentHashMap.newKeySet();
    AtomicBoolean inside = new AtomicBoolean();
    Random random = new Random(11);
    Connection connection =
        connected(
            transport(),
            Handlers.ofRequests((from, request, reply) -> {
              assertThat(inside.compareAndSet(false, true)).isTrue();
              seen.add(request.ints()[0]);
              onLoop.add(isLoops(Thread.currentThread()));
              if (random.nextInt(300) == 0) {
                LockSupport.parkNanos(random.nextInt(5_000_000));
              }
              assertThat(inside.compareAndSet(true, false)).isTrue();
              var unused = reply.send(request.ints());
            }));
    List<Integer> expected = new ArrayList<>();
    long start = System.nanoTime();
    for (int i = 0; i < 5000 || onLoop.size() < 2; ) {
      assertThat(System.nanoTime() - start).isLessThan(LONG.toNanos());
      List<CompletableFuture<ReceivedArray>> some = new ArrayList<>();
      for (int left = 1 + i % 5; left > 0; left--) {
        expected.add(i);
        some.add(ask(connection, i++));
      }
      for (CompletableFuture<ReceivedArray> each : some) {
        assertThat(each.get(60, TimeUnit.SECONDS).count()).isOne();
      }
    }
    assertThat(seen).isEqualTo(expected);
  }

  /** Peers choose how many handlers there are, so they must not choose how many threads. */
  @Test
  void manyThatBlockTakeFewOfTheLoopsThreads() throws Exception {
    AtomicBoolean block = new AtomicBoolean();
    AtomicInteger inside = new AtomicInteger();
    Transport answering = transport();
    Listener listener =
        answering.listen(
            anyPort(),
            Handlers.ofRequests((from, request, reply) -> {
              if (block.get()) {
                inside.incrementAndGet();
                blocks();
              }
              var unused = reply.send(request.ints());
            }));
    open.add(listener);
    Transport asking = transport();
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      Connection connection = asking.connect(listener.address());
      connections.add(connection);
      open.add(connection);
      assertAnswers(connection, 40);
    }
    block.set(true);
    List<CompletableFuture<ReceivedArray>> replies = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      for (Connection connection : connections) {
        replies.add(ask(connection, i));
      }
    }
    await().atMost(LONG).until(() -> inside.get() == connections.size());
    assertThat(leftBehind()).hasSizeLessThanOrEqualTo(LoopThread.MOST_LEFT_BEHIND);
    // The loop goes on.
    try (Listener plain = answering.listen(anyPort());
        Connection out = asking.connect(plain.address());
        Connection in = plain.accept()) {
      out.send(new int[] {3});
      assertThat(in.receive().ints()).containsExactly(3);
    }
    over.countDown();
    for (CompletableFuture<ReceivedArray> each : replies) {
      assertThat(each.get(60, TimeUnit.SECONDS).count()).isOne();
    }
    await().atMost(LONG).until(() -> leftBehind().isEmpty());
  }

  @Test
  void aHandlerMayCloseItsConnection() throws Exception {
    Transport answering = transport();
    Connection connection = connected(answering);
    CompletableFuture<ReceivedArray> unused = askUntilOnLoop(connection, Connection::close);
    await().atMost(LONG).until(() -> !connection.isOpen());
    assertAnswers(connected(answering), CALLS);
  }

  /** It waits for the loop's end, and the loop's thread is its own. */
  @Test
  void aHandlerMayCloseItsTransport() throws Exception {
    Transport answering = transport();
    Connection connection = connected(answering);
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    CompletableFuture<ReceivedArray> unused =
        askUntilOnLoop(
            connection,
            at -> {
              answering.close();
              closed.complete(true);
            });
    assertThat(closed.get(60, TimeUnit.SECONDS)).isTrue();
    await().atMost(LONG).until(() -> !connection.isOpen());
    await().atMost(LONG).until(() -> leftBehind().isEmpty());
  }

  @Test
  void aTransportWhoseLoopIsAtAHandlerCloses() throws Exception {
    Transport answering = transport(WaitStrategy::sleeping, options -> options);
    Connection connection = connected(answering);
    CompletableFuture<ReceivedArray> unused = askUntilOnLoop(connection, at -> blocks());
    connection.closeNow();
    answering.close();
    assertThat(probe.at.stream().filter(each -> isLoops(each) && each.isAlive())).isEmpty();
  }

  /** An interrupt would close the channel that the loop writes next. */
  @Test
  void anInterruptOfAHandlerIsNotTheLoops() throws Exception {
    Connection connection = connected(transport());
    for (int i = 0; i < 10; i++) {
      CompletableFuture<ReceivedArray> reply =
          askUntilOnLoop(connection, at -> Thread.currentThread().interrupt());
      assertThat(reply.get(60, TimeUnit.SECONDS).ints()).containsExactly(7);
    }
    assertAnswers(connection, CALLS);
  }

  /** A few times: to throw takes long, and after each long call the loop wants twice as many. */
  @Test
  void aHandlerThatThrowsIsCalledAgain() throws Exception {
    Connection connection = connected(transport());
    for (int i = 0; i < 3; i++) {
      CompletableFuture<ReceivedArray> reply =
          askUntilOnLoop(
              connection,
              at -> {
                throw new IllegalStateException("on the loop");
              });
      assertThat(reply).failsWithin(LONG);
      assertAnswers(connection, 1);
    }
  }

  @Test
  void anExecutorOfTheUsersMakesAllCalls() throws Exception {
    Transport answering =
        transport(
            () -> WaitStrategy.adaptive(Duration.ofMillis(1)),
            options -> options.handlerExecutor(threads));
    assertAnswers(connected(answering), 10 * CALLS);
    assertThat(probe.at).isNotEmpty().noneMatch(LoopHandlersTest::isLoops);
  }

  /** What comes again over another connection waits for the handler of the one before. */
  @Test
  void theExecutorMakesTheCallsOfSessions() throws Exception {
    Supplier<WaitStrategy> strategy = () -> WaitStrategy.adaptive(Duration.ofMillis(1));
    UnaryOperator<TransportOptions.Builder> sessions =
        options -> options.sessionTimeout(Duration.ofMinutes(1));
    Listener listener = transport(strategy, sessions).listen(anyPort(), Handlers.ofRequests(probe));
    open.add(listener);
    Connection connection = transport(strategy, sessions).connect(listener.address());
    open.add(connection);
    assertAnswers(connection, 10 * CALLS);
    assertThat(probe.at).isNotEmpty().noneMatch(LoopHandlersTest::isLoops);
  }
}
