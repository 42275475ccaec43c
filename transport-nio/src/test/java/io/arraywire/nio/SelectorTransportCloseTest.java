package io.arraywire.nio;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Acceptor;
import io.arraywire.engine.EngineConnection;
import io.arraywire.engine.Opening;
import io.arraywire.spi.Codec;
import io.arraywire.spi.TrackingMemoryPool;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What ends while something else begins, and what must not end: the event loops. */
class SelectorTransportCloseTest {
  private final TrackingMemoryPool pool = TrackingMemoryPool.around(new NettyMemoryPool());
  private final InetSocketAddress anyPort =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final List<SelectorTransport> opened = new ArrayList<>();

  /** Whatever a test holds up; let go at its end, also when it fails. */
  private final CountDownLatch held = new CountDownLatch(1);

  @AfterEach
  void nothingIsLeft() {
    held.countDown();
    opened.forEach(SelectorTransport::close);
    // A transport whose close gave up waiting ends a little later.
    await().atMost(Duration.ofSeconds(60)).until(() -> pool.acquiredBytes() == 0);
    pool.close();
  }

  private TransportOptions.Builder options() {
    return TransportOptions.builder().memoryPool(pool);
  }

  private SelectorTransport transport(TransportOptions options, NioOptions nioOptions) {
    return transport(new SelectorTransport(options, nioOptions, SocketIo::of));
  }

  private SelectorTransport transport() {
    return transport(options().build(), NioOptions.builder().eventLoops(1).build());
  }

  private SelectorTransport transport(SelectorTransport transport) {
    opened.add(transport);
    return transport;
  }

  /** Runs something on a thread of its own. */
  private static <T> CompletableFuture<T> start(Callable<T> action) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> {
          try {
            outcome.complete(action.call());
          } catch (Throwable e) {
            outcome.completeExceptionally(e);
          }
        });
    thread.setDaemon(true);
    thread.start();
    return outcome;
  }

  private static Throwable failureOf(CompletableFuture<?> outcome) throws Exception {
    try {
      return fail("it succeeded: " + outcome.get(60, SECONDS));
    } catch (ExecutionException e) {
      return e.getCause();
    }
  }

  private static void assertFree(SocketAddress address) throws IOException {
    try (ServerSocket socket = new ServerSocket()) {
      // With the default, a port would seem taken while connections to it are in TIME_WAIT.
      socket.setReuseAddress(true);
      socket.bind(address);
    }
  }

  // Connecting.

  @Test
  void aConnectThatComesToItsLoopAfterCloseFailsAtOnce() throws Exception {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);
    // As if close came while it looked up the name.
    SelectorTransport transport =
        transport(
            new SelectorTransport(
                options().build(), NioOptions.builder().eventLoops(1).build(), SocketIo::of) {
              @Override
              protected Runnable dial(
                  SocketAddress to, Opening opening, CompletableFuture<EngineConnection> connected)
                  throws IOException {
                close();
                return super.dial(to, opening, connected);
              }
            });
    assertThat(failureOf(start(() -> transport.connect(address))))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the transport is closed");
  }

  @Test
  void aConnectThatWaitsForItsPeerEndsWhenTheTransportIsClosed() throws Exception {
    SelectorTransport transport =
        transport(
            options().connectTimeout(Duration.ofHours(1)).build(),
            NioOptions.builder().eventLoops(1).build());
    List<SocketChannel> filling = new ArrayList<>();
    // Its queue is full soon, and Linux then leaves connecting peers without an answer.
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      for (int i = 0; i < 4; i++) {
        SocketChannel channel = SocketChannel.open();
        filling.add(channel);
        channel.configureBlocking(false);
        channel.connect(deaf.getLocalSocketAddress());
      }
      CompletableFuture<Connection> connect =
          start(() -> transport.connect(deaf.getLocalSocketAddress()));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> !transport.anyLoop().selector().keys().isEmpty());
      transport.close();
      assertThat(failureOf(connect)).isInstanceOf(ConnectionClosedException.class);
    } finally {
      for (SocketChannel channel : filling) {
        channel.close();
      }
    }
  }

  @Test
  void connectsThatRaceWithCloseAllEnd() throws Exception {
    try (ServerSocket peer = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress())) {
      for (int round = 0; round < 30; round++) {
        SelectorTransport transport =
            transport(options().build(), NioOptions.builder().eventLoops(2).build());
        CyclicBarrier together = new CyclicBarrier(4);
        List<CompletableFuture<Connection>> connects = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          connects.add(
              start(() -> {
                together.await();
                return transport.connect(peer.getLocalSocketAddress());
              }));
        }
        together.await();
        transport.close();
        for (CompletableFuture<Connection> connect : connects) {
          assertThat(failureOf(connect)).isInstanceOf(ConnectionClosedException.class);
        }
      }
    }
  }

  @Test
  void aConnectIsOverInTimeThoughItsLoopIsKept() throws Exception {
    SelectorTransport transport =
        transport(
            options()
                .connectTimeout(Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(100))
                .build(),
            keptLoops());
    try (ServerSocket peer = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      assertThat(failureOf(start(() -> transport.connect(peer.getLocalSocketAddress()))))
          .isInstanceOf(ConnectFailedException.class)
          .hasMessageContaining("connectTimeout=PT0.1S");
    }
  }

  // Listening.

  @Test
  void aListenerThatIsOpenedBeforeCloseAndOwnedAfterItIsClosed() throws Exception {
    assertClosed((address, bind) -> {
      Acceptor bound = bind.bind(address);
      opened.get(0).close();
      return bound;
    });
  }

  @Test
  void aListenerThatIsOpenedAfterCloseIsClosed() throws Exception {
    assertClosed((address, bind) -> {
      opened.get(0).close();
      return bind.bind(address);
    });
  }

  /** Binds when its transport is closed, or has it closed. */
  private interface LateBind {
    Acceptor bind(SocketAddress address, Bind bind) throws IOException;
  }

  private interface Bind {
    Acceptor bind(SocketAddress address) throws IOException;
  }

  private void assertClosed(LateBind late) throws Exception {
    CompletableFuture<Acceptor> acceptor = new CompletableFuture<>();
    SelectorTransport transport =
        transport(
            new SelectorTransport(
                options().build(), NioOptions.builder().eventLoops(1).build(), SocketIo::of) {
              @Override
              protected Acceptor bind(SocketAddress address) throws IOException {
                Acceptor bound = late.bind(address, super::bind);
                acceptor.complete(bound);
                return bound;
              }
            });
    assertThatThrownBy(() -> transport.listen(anyPort))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the transport is closed");
    assertFree(acceptor.join().address());
  }

  @Test
  void listensThatRaceWithCloseLeaveNoPortOpen() throws Exception {
    List<String> before = listeningPorts();
    for (int round = 0; round < 50; round++) {
      SelectorTransport transport =
          transport(options().build(), NioOptions.builder().eventLoops(2).build());
      CyclicBarrier together = new CyclicBarrier(2);
      CompletableFuture<Listener> listen =
          start(() -> {
            together.await();
            return transport.listen(anyPort);
          });
      together.await();
      transport.close();
      try {
        assertFree(listen.get(60, SECONDS).address());
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(ConnectionClosedException.class);
      }
    }
    assertThat(listeningPorts()).isSubsetOf(before);
  }

  /** The ports that this process listens on. */
  private static List<String> listeningPorts() throws IOException {
    List<String> sockets = new ArrayList<>();
    for (String target : descriptors()) {
      if (target.startsWith("socket:[")) {
        sockets.add(target.substring(8, target.length() - 1));
      }
    }
    List<String> listening = new ArrayList<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      Path file = Path.of(table);
      if (!Files.exists(file)) {
        continue;
      }
      for (String line : Files.readAllLines(file)) {
        String[] columns = line.trim().split("\\s+");
        if (columns.length > 9 && columns[3].equals("0A") && sockets.contains(columns[9])) {
          listening.add(columns[1]);
        }
      }
    }
    return listening;
  }

  @Test
  void acceptSaysWhyAListenerCannotBeServed() throws Exception {
    EventLoop broken = new EventLoop("ended", WaitStrategy.sleeping(), pool);
    broken.start();
    broken.stop();
    assertThat(broken.awaitEnd(SECONDS.toNanos(60))).isTrue();
    SelectorTransport transport =
        transport(
            new SelectorTransport(
                options().build(), NioOptions.builder().eventLoops(1).build(), SocketIo::of) {
              @Override
              EventLoop anyLoop() {
                return broken;
              }
            });
    Listener listener = transport.listen(anyPort);
    assertThat(failureOf(start(listener::accept)))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("address=" + listener.address())
        .hasMessageContaining("cause=closed selector")
        .hasRootCauseInstanceOf(ClosedSelectorException.class);
    assertFree(listener.address());
  }

  // Loops.

  @Test
  void aLoopSurvivesTasksThatThrow() throws Exception {
    EventLoop loop = transport().anyLoop();
    loop.execute(() -> {
      throw new StackOverflowError("made by a test");
    });
    loop.execute(
        () -> SelectorTransportCloseTest.<RuntimeException>throwUnchecked(new Exception()));
    loop.ask(
        new LoopWork() {
          @Override
          void work(int what) {
            throw new AssertionError("made by a test");
          }
        },
        1);
    assertServes(loop);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void throwUnchecked(Throwable any) throws E {
    throw (E) any;
  }

  private static void assertServes(EventLoop loop) throws InterruptedException {
    CountDownLatch served = new CountDownLatch(1);
    loop.execute(served::countDown);
    assertThat(served.await(60, SECONDS)).as("the loop runs tasks").isTrue();
  }

  @Test
  void aLoopSurvivesWhatItCannotLog() throws Exception {
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger thrown = new AtomicInteger();
    Handler unable =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            refused.incrementAndGet();
            throw new OutOfMemoryError("made by a test");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger("io.arraywire");
    logger.addHandler(unable);
    try {
      WaitStrategy sleeping = WaitStrategy.sleeping();
      EventLoop loop =
          transport(
                  options().build(),
                  NioOptions.builder()
                      .eventLoops(1)
                      .waitStrategy(() ->
                          (waitable, expecting) -> {
                            if (thrown.incrementAndGet() <= 3) {
                              throw new OutOfMemoryError("made by a test");
                            }
                            sleeping.await(waitable, expecting);
                          })
                      .build())
              .anyLoop();
      await().atMost(Duration.ofSeconds(60)).until(() -> thrown.get() > 3);
      loop.execute(() -> {
        throw new OutOfMemoryError("made by a test");
      });
      assertServes(loop);
    } finally {
      logger.removeHandler(unable);
    }
    assertThat(refused).hasValue(4);
  }

  @Test
  void aChannelThatFailsWhenItIsReadyTakesNobodysTurn() throws Exception {
    EventLoop loop = transport().anyLoop();
    List<Pipe> pipes = new ArrayList<>();
    int count = 32;
    CountDownLatch served = new CountDownLatch(count);
    try {
      for (int i = 0; i <= count; i++) {
        Pipe pipe = Pipe.open();
        pipes.add(pipe);
        pipe.source().configureBlocking(false);
        pipe.sink().write(ByteBuffer.allocate(1));
        boolean failing = i == 0;
        AtomicBoolean once = new AtomicBoolean();
        ReadyHandler handler =
            new ReadyHandler() {
              @Override
              public void ready() {
                if (failing) {
                  throw new IllegalStateException("made by a test");
                }
                if (once.compareAndSet(false, true)) {
                  served.countDown();
                }
              }

              @Override
              public void loopEnds() {}
            };
        loop.execute(() -> {
          try {
            pipe.source().register(loop.selector(), SelectionKey.OP_READ, handler);
          } catch (IOException e) {
            throw new IllegalStateException(e);
          }
        });
      }
      assertThat(served.await(60, SECONDS)).as("all others had their turn").isTrue();
    } finally {
      for (Pipe pipe : pipes) {
        pipe.sink().close();
        pipe.source().close();
      }
    }
  }

  // Making a transport.

  @Test
  void aWaitStrategyThatCannotBeMadeLeavesNothingOpen() throws Exception {
    AtomicInteger made = new AtomicInteger();
    List<Thread> before = loopThreads();
    int selectors = selectors();
    assertThatThrownBy(() ->
            transport(
                options().build(),
                NioOptions.builder()
                    .eventLoops(4)
                    .waitStrategy(() -> {
                      if (made.incrementAndGet() == 3) {
                        throw new IllegalStateException("made by a test");
                      }
                      return WaitStrategy.sleeping();
                    })
                    .build()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("made by a test");
    // Those of earlier tests may go meanwhile.
    await().atMost(Duration.ofMinutes(1)).until(() -> selectors() <= selectors);
    assertThat(loopThreads()).isSubsetOf(before);
  }

  @Test
  void aWaitStrategyThatIsNullIsRefused() throws Exception {
    int selectors = selectors();
    assertThatThrownBy(() ->
            transport(
                options().build(),
                NioOptions.builder()
                    .eventLoops(2)
                    .waitStrategy(SelectorTransportCloseTest::noStrategy)
                    .build()))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("waitStrategy.get()");
    // Those of earlier tests may go meanwhile.
    await().atMost(Duration.ofMinutes(1)).until(() -> selectors() <= selectors);
  }

  @SuppressWarnings("NullAway") // What a user without a checker may do.
  private static WaitStrategy noStrategy() {
    return null;
  }

  private static List<Thread> loopThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("arraywire-nio-"))
        .toList();
  }

  private static int selectors() throws IOException {
    return (int) descriptors().stream().filter(target -> target.contains("[eventpoll]")).count();
  }

  /** What the descriptors of this process are, where the system tells. */
  private static List<String> descriptors() throws IOException {
    File[] links = new File("/proc/self/fd").listFiles();
    List<String> targets = new ArrayList<>();
    for (File link : links == null ? new File[0] : links) {
      try {
        targets.add(Files.readSymbolicLink(link.toPath()).toString());
      } catch (IOException e) {
        // It was the descriptor of the listing itself, or was closed meanwhile.
        continue;
      }
    }
    return targets;
  }

  // Writing.

  @Test
  void aDrainedQueueTakesBackTheInterestInWriting() throws Exception {
    AtomicBoolean full = new AtomicBoolean();
    SelectorTransport transport =
        transport(
            new SelectorTransport(
                options().build(),
                NioOptions.builder().eventLoops(1).build(),
                channel -> {
                  SocketIo io = SocketIo.of(channel);
                  return new StagedIo(io) {
                    @Override
                    public long write(ByteBuffer[] sources, int offset, int length)
                        throws IOException {
                      return full.get() ? 0 : io.write(sources, offset, length);
                    }
                  };
                }));
    try (Listener listener = transport.listen(anyPort);
        Connection out = transport.connect(listener.address());
        Connection in = listener.accept()) {
      full.set(true);
      CompletableFuture<Receipt> receipt =
          out.sendAsync(ArraySlice.of(new int[] {1, 2}), SendOptions.processed())
              .toCompletableFuture();
      await().atMost(Duration.ofSeconds(60)).until(() -> wantsToWrite(transport));
      full.set(false);
      assertThat(in.receive().ints()).containsExactly(1, 2);
      receipt.get(60, SECONDS);
      await().atMost(Duration.ofMinutes(1)).until(() -> !wantsToWrite(transport));
    }
  }

  /** Whether a channel of the one loop is registered for writing. */
  private static boolean wantsToWrite(SelectorTransport transport) throws Exception {
    EventLoop loop = transport.anyLoop();
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    loop.execute(() ->
        answer.complete(
            loop.selector().keys().stream()
                .anyMatch(
                    key -> key.isValid() && (key.interestOps() & SelectionKey.OP_WRITE) != 0)));
    return answer.get(60, SECONDS);
  }

  // Closing in time.

  private NioOptions keptLoops() {
    return NioOptions.builder()
        .eventLoops(1)
        .waitStrategy(() -> (loop, expecting) -> letGo())
        .build();
  }

  private void letGo() {
    while (true) {
      try {
        held.await();
        return;
      } catch (InterruptedException e) {
        // Whatever is tried, it does not return.
        continue;
      }
    }
  }

  @Test
  void aWaitStrategyThatDoesNotReturnHoldsUpNoClose() throws Exception {
    SelectorTransport transport =
        transport(options().closeTimeout(Duration.ofMillis(100)).build(), keptLoops());
    Listener listener = transport.listen(anyPort);
    start(
            () -> {
              listener.close();
              return "closed";
            })
        .get(60, SECONDS);
    start(
            () -> {
              transport.close();
              return "closed";
            })
        .get(60, SECONDS);
    held.countDown();
    assertThat(transport.anyLoop().awaitEnd(SECONDS.toNanos(60))).isTrue();
    assertFree(listener.address());
  }

  @Test
  void aCodecThatDoesNotReturnHoldsUpNoClose() throws Exception {
    CountDownLatch encoding = new CountDownLatch(1);
    Codec blocking =
        new Codec() {
          @Override
          public String name() {
            return "blocking";
          }

          @Override
          public Encoding encoding() {
            return NioCodecs.direct().encoding();
          }

          @Override
          public void encode(
              ElementType type, Object array, int index, int count, ByteBuffer target) {
            encoding.countDown();
            letGo();
            NioCodecs.direct().encode(type, array, index, count, target);
          }

          @Override
          public void decode(
              ElementType type, ByteBuffer source, Object array, int index, int count)
              throws ProtocolException {
            NioCodecs.direct().decode(type, source, array, index, count);
          }
        };
    SelectorTransport transport =
        transport(
            options().codecs(blocking).closeTimeout(Duration.ofMillis(200)).build(),
            NioOptions.builder().eventLoops(1).build());
    Listener listener = transport.listen(anyPort);
    Connection out = transport.connect(listener.address());
    CompletableFuture<Receipt> receipt =
        out.sendAsync(ArraySlice.of(new int[] {1}), SendOptions.processed()).toCompletableFuture();
    assertThat(encoding.await(60, SECONDS)).isTrue();
    start(
            () -> {
              transport.close();
              return "closed";
            })
        .get(60, SECONDS);
    held.countDown();
    assertThat(transport.anyLoop().awaitEnd(SECONDS.toNanos(60))).isTrue();
    assertThat(failureOf(receipt)).isInstanceOf(ArraywireException.class);
    assertFree(listener.address());
  }

  @Test
  void aCloseTimeoutOfCenturiesIsNoOverflow() throws Exception {
    SelectorTransport transport =
        transport(
            options().closeTimeout(Duration.ofDays(1_000_000)).build(), NioOptions.defaults());
    transport.listen(anyPort).close();
    transport.close();
  }

  // Texts.

  @Test
  void causesAreSaidInWords() {
    assertThat(Channels.words(new IOException("Connection refused")))
        .isEqualTo("Connection refused");
    assertThat(Channels.words(new ClosedSelectorException())).isEqualTo("closed selector");
    assertThat(Channels.words(new UnresolvedAddressException())).isEqualTo("the host is not known");
    assertThat(Channels.words(new IOException())).isEqualTo("io");
    assertThat(Channels.words(new Exception())).isEqualTo("exception");
  }
}
