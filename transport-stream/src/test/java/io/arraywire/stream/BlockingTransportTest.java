package io.arraywire.stream;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import io.arraywire.spi.Transports;
import io.arraywire.stream.Fixture.Kind;
import io.arraywire.stream.Fixture.Pair;
import io.arraywire.testkit.SeededArrays;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays over sockets, with each kind of socket and of thread. */
class BlockingTransportTest {
  private static final Pattern CREDIT = Pattern.compile("peersCredit=(\\d+)");

  @Test
  void isFoundByName() {
    assertThat(Transports.names()).contains("stream");
    try (Transport transport = Transports.create("stream", TransportOptions.defaults())) {
      assertThat(transport.name()).isEqualTo("stream");
      assertThat(transport.options()).isSameAs(TransportOptions.defaults());
    }
  }

  @Test
  void theSharedTransportConnectsAndListens() throws Exception {
    try (Listener listener = StreamTransport.listen(anyPort());
        Connection out = StreamTransport.connect(listener.address());
        Connection in = listener.accept()) {
      out.send(new float[] {1, 2});
      assertThat(in.receive().floats()).containsExactly(1, 2);
    }
    CompletableFuture<float[]> back = new CompletableFuture<>();
    try (Listener listener =
            StreamTransport.listen(anyPort(), (from, array) -> from.send(array.floats()));
        Connection out =
            StreamTransport.connect(
                listener.address(), (from, array) -> back.complete(array.floats()))) {
      out.send(new float[] {3});
      assertThat(back.get(20, SECONDS)).containsExactly(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyElementTypeGoesBothWays(Kind kind) throws Exception {
    SeededArrays.check(arrays -> {
      try (Fixture fixture = new Fixture(kind)) {
        Pair pair = fixture.pair();
        for (ElementType type : ElementType.values()) {
          for (int count : new int[] {0, 1, 100, arrays.between(101, 200_000)}) {
            ArraySlice there = ArraySlice.ofArray(arrays.array(type, count)).as(type);
            ArraySlice back = ArraySlice.ofArray(arrays.array(type, count)).as(type);
            Future<Receipt> first = sent(pair.out(), there);
            Future<Receipt> second = sent(pair.in(), back);
            assertSame(pair.in().receive(), there);
            assertSame(pair.out().receive(), back);
            assertThat(first.get(20, SECONDS).elements()).isEqualTo(count);
            assertThat(second.get(20, SECONDS).elements()).isEqualTo(count);
          }
        }
      }
    });
  }

  @ParameterizedTest
  @EnumSource
  void aLargeArrayComesIntoEveryKindOfMemory(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      // With a window that does not grow, at most this many bytes arrive before a receive call asks
      // for them, and are copied once more. The second and third array wait until they are there:
      // the worst case.
      int early = 1 << 20;
      Pair pair =
          fixture.pair(
              fixture.transport(options -> options.inboxBytes(early).connectionInboxBytes(early)));
      int[] sent = new int[10_000_019];
      for (int i = 0; i < sent.length; i++) {
        sent[i] = i * 31;
      }
      long bytes = 4L * sent.length;
      Future<Receipt> receipt = sent(pair.out(), ArraySlice.of(sent));
      assertThat(pair.in().receive().ints()).isEqualTo(sent);
      receipt.get(20, SECONDS);

      receipt = sent(pair.out(), ArraySlice.of(sent));
      int[] target = new int[sent.length + 3];
      awaitUsedUp(pair.in());
      ReceivedArray into = pair.in().receiveInto(ArraySlice.of(target, 2, sent.length));
      assertThat(target[1]).isZero();
      assertSame(into, ArraySlice.of(sent));
      // What is early is copied as the array grows that it waits in, and from there: twice more.
      assertThat(into.receipt().copiedBytes())
          .isBetween(2 * bytes + early / 2, 2 * bytes + 2L * early);
      receipt.get(20, SECONDS);

      receipt = sent(pair.out(), ArraySlice.of(sent));
      awaitUsedUp(pair.in());
      try (LeasedArray lease = pair.in().receiveLeased()) {
        // The socket's bytes go straight to where they are lent out, but for those: through a
        // buffer, and then as above.
        assertThat(lease.receipt().copiedBytes()).isBetween(bytes + early, bytes + 3L * early);
        lease.copyTo(ArraySlice.of(target, 0, sent.length));
      }
      for (int i = 0; i < sent.length; i += 97) {
        assertThat(target[i]).isEqualTo(sent[i]);
      }
      receipt.get(20, SECONDS);
      fixture.awaitIdle();
    }
  }

  /** Until the peer has used up its credit, but for less than a frame takes. */
  private static void awaitUsedUp(Connection in) {
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          Matcher credit = CREDIT.matcher(in.describe());
          return credit.find()
              && Long.parseLong(credit.group(1))
                  < in.agreement().chunkBytes() + FrameLayout.HEADER_BYTES;
        });
  }

  @ParameterizedTest
  @EnumSource
  void manyConnectionsMoveArraysAtTheSameTime(Kind kind) throws Exception {
    int peers = 150;
    try (Fixture fixture = new Fixture(kind)) {
      Transport transport = fixture.transport();
      ArrayHandler echo = (from, array) -> from.send(array.slice());
      try (Listener listener = transport.listen(fixture.anyAddress(), echo)) {
        ExecutorService callers = Executors.newFixedThreadPool(16);
        List<Connection> open = new ArrayList<>();
        List<Future<?>> done = new ArrayList<>();
        for (int i = 0; i < peers; i++) {
          open.add(transport.connect(listener.address()));
        }
        for (Connection connection : open) {
          done.add(
              callers.submit(() -> {
                float[] sent = new float[5_000];
                sent[4_999] = connection.hashCode();
                for (int i = 0; i < 5; i++) {
                  connection.send(sent);
                  assertThat(connection.receive().floats()).isEqualTo(sent);
                }
                return null;
              }));
        }
        for (Future<?> each : done) {
          each.get(60, SECONDS);
        }
        callers.shutdown();
        // No connection holds memory while nothing moves.
        fixture.awaitIdle();
        for (Connection connection : open) {
          connection.close();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 63, 512, 5_000, 70_000})
  void anySplitOfReadsIsTheSame(int most) throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP_PLATFORM_THREADS)) {
      UnkindSockets sockets = new UnkindSockets(most);
      Transport transport = fixture.transport(o -> o, sockets, Threads.platform());
      Pair pair = fixture.pair(transport);
      double[] sent = new double[most < 64 ? 4_000 : 100_000];
      for (int i = 0; i < sent.length; i++) {
        sent[i] = 1.0 / i;
      }
      for (int i = 0; i < 3; i++) {
        Future<Receipt> receipt = sent(pair.out(), ArraySlice.of(sent));
        if (i == 2) {
          double[] received = new double[sent.length];
          try (LeasedArray lease = pair.in().receiveLeased()) {
            lease.copyTo(ArraySlice.of(received));
          }
          assertThat(received).isEqualTo(sent);
        } else {
          assertThat(pair.in().receive().doubles()).isEqualTo(sent);
        }
        receipt.get(20, SECONDS);
      }
    }
  }

  @Test
  void sendsAsThisHostHasTheBytes() throws Exception {
    boolean little = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Pair pair = fixture.pair();
      assertThat(pair.out().agreement().sendEncoding()).isEqualTo(little ? "raw-le" : "raw-be");
      assertThat(pair.out().agreement().sendCodec())
          .isEqualTo(little ? "buffer-view-le" : "buffer-view");
      assertThat(pair.out().describe()).startsWith("stream ");
      assertThat(pair.out().remoteAddress()).isEqualTo(pair.in().localAddress());
      assertThat(pair.in().remoteAddress()).isEqualTo(pair.out().localAddress());
      SocketAddress local = pair.out().localAddress();
      pair.out().closeNow();
      assertThat(pair.out().remoteAddress()).isEqualTo(pair.in().localAddress());
      assertThat(pair.out().localAddress()).isEqualTo(local);
    }
  }

  @Test
  void aUnixSocketsConnectingEndIsUnnamed() throws Exception {
    try (Fixture fixture = new Fixture(Kind.UNIX)) {
      Pair pair = fixture.pair();
      assertThat(pair.out().localAddress()).hasToString("");
      assertThat(pair.in().remoteAddress()).hasToString("");
      assertThat(pair.out().remoteAddress()).isEqualTo(pair.in().localAddress());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionOnWhichNothingMovesHoldsNoMemory(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = fixture.pair();
      fixture.awaitIdle();
      for (int count : new int[] {10, 1_000, 100_000}) {
        Future<Receipt> receipt = sent(pair.out(), ArraySlice.of(new float[count]));
        pair.in().receive();
        receipt.get(20, SECONDS);
        fixture.awaitIdle();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSmallArrayTakesOneReadAndOneWrite(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Pair pair = fixture.pair();
      for (int i = 0; i < 10; i++) {
        Future<Receipt> receipt = sent(pair.out(), ArraySlice.of(new float[16]));
        assertThat(pair.in().receive().receipt().channelOperations()).isEqualTo(1);
        assertThat(receipt.get(20, SECONDS).channelOperations()).isEqualTo(1);
      }
    }
  }

  @Test
  void memoryBesideTheHeapIsNotUsed() throws Exception {
    try (MemoryPool directOnly = new DirectOnlyPool();
        Fixture fixture = new Fixture(Kind.TCP)) {
      Transport transport = fixture.transport(options -> options.memoryPool(directOnly));
      Pair pair = fixture.pair(transport);
      Future<Receipt> receipt = sent(pair.out(), ArraySlice.of(new float[100_000]));
      try (LeasedArray lease = pair.in().receiveLeased()) {
        assertThat(lease.header().count()).isEqualTo(100_000);
        assertThat(lease.segments()).isPositive();
        await().atMost(Duration.ofMinutes(1)).until(() -> directOnly.acquiredBytes() == 0);
      }
      receipt.get(20, SECONDS);
      transport.close();
    }
  }

  @Test
  void aLeaseThatWasNotClosedIsReported() throws Exception {
    Transport transport = StreamTransport.create(TransportOptions.defaults());
    Listener listener = transport.listen(anyPort());
    Connection out = transport.connect(listener.address());
    Connection in = listener.accept();
    CompletableFuture<LeasedArray> leased = new CompletableFuture<>();
    CompletableFuture<Throwable> leasing = failure(() -> leased.complete(in.receiveLeased()));
    // What comes before somebody asks for a lease is kept in an array of its own.
    await().atMost(Duration.ofMinutes(1)).until(() -> in.describe().contains("waitingReceivers=1"));
    out.send(new float[100]);
    LeasedArray lease = leased.get(20, SECONDS);
    assertThat(leasing).failsWithin(Duration.ofSeconds(20));
    assertThatThrownBy(transport::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("memory was not given back, most likely that of a LeasedArray")
        .hasMessageContaining("close each, or set memoryPool to")
        .hasMessageContaining("TrackingMemoryPool")
        .hasMessageEndingWith("(acquiredBytes=400)");
    lease.close();
  }

  @Test
  void aCloseTimeoutMayBeLongerThanAnyClockCounts() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Duration centuries = Duration.ofSeconds(Long.MAX_VALUE);
      Transport transport = fixture.transport(o -> o.closeTimeout(centuries));
      fixture.pair(transport);
      transport.close();
      assertThat(fixture.acquiredBytes()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingTheTransportEndsEverything(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind);
        Fixture others = new Fixture(kind)) {
      Transport transport = fixture.transport(o -> o.closeTimeout(Duration.ofMinutes(10)));
      Listener listener = transport.listen(fixture.anyAddress());
      Listener far = others.transport().listen(others.anyAddress());
      Connection out = transport.connect(far.address());
      // Both are in the middle of an array that nobody takes.
      Future<Receipt> stuck = sent(out, ArraySlice.of(new float[8 << 20]));
      Connection peer = others.transport().connect(listener.address());
      Connection in = listener.accept();
      Future<Receipt> pushed = sent(peer, ArraySlice.of(new float[8 << 20]));
      CompletableFuture<Throwable> receiving = failure(out::receive);
      CompletableFuture<Throwable> accepting = failure(listener::accept);
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> in.describe().matches(".*peersCredit=\\d{1,5}\\b.*"));
      await()
          .atMost(Duration.ofMinutes(1))
          .until(() -> out.describe().matches(".*creditLeft\\[channel 0]=\\d{1,5}\\b.*"));

      long start = System.nanoTime();
      transport.close();
      transport.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
      assertThat(fixture.acquiredBytes()).isZero();
      assertThat(receiving.get(20, SECONDS)).isInstanceOf(ConnectionClosedException.class);
      assertThat(accepting.get(20, SECONDS)).isInstanceOf(ConnectionClosedException.class);
      assertThat(stuck)
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableThat()
          .withCauseInstanceOf(ConnectionClosedException.class);
      assertThat(pushed)
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableThat()
          .withCauseInstanceOf(ConnectionLostException.class);
      assertThat(in.isOpen()).isFalse();
      assertThatThrownBy(() -> transport.connect(listener.address()))
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessage("the transport is closed (transport=stream)");
      assertThatThrownBy(() -> transport.listen(fixture.anyAddress()))
          .isInstanceOf(ConnectionClosedException.class);
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(platformThreads()).isEmpty());
  }

  @Test
  void aTransportCanBeClosedByAHandler() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Transport transport = fixture.transport();
      CompletableFuture<Void> closed = new CompletableFuture<>();
      Listener listener =
          transport.listen(
              fixture.anyAddress(),
              (from, array) -> {
                transport.close();
                closed.complete(null);
              });
      Connection out = transport.connect(listener.address());
      // The transport that the handler closes may end this send, too.
      var unused = out.sendAsync(new float[1]);
      closed.get(20, SECONDS);
    }
  }

  private static List<String> platformThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("arraywire-stream"))
        .toList();
  }

  static SocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  static CompletableFuture<Receipt> sent(Connection connection, ArraySlice slice) {
    return connection.sendAsync(slice, SendOptions.processed()).toCompletableFuture();
  }

  /** What a call on a thread of its own throws. */
  static CompletableFuture<Throwable> failure(Call call) {
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread thread =
        new Thread(() -> {
          try {
            failure.completeExceptionally(new AssertionError("did not fail: " + call.call()));
          } catch (Throwable thrown) {
            failure.complete(thrown);
          }
        });
    thread.setDaemon(true);
    thread.start();
    return failure;
  }

  interface Call {
    Object call() throws Exception;
  }

  private static void assertSame(ReceivedArray received, ArraySlice sent) {
    ArraySlice got = received.slice();
    assertThat(got.type()).isEqualTo(sent.type());
    assertThat(got.length()).isEqualTo(sent.length());
    Object trimmed = got.type().newArray(got.length());
    System.arraycopy(got.array(), got.offset(), trimmed, 0, got.length());
    // Bit by bit, for the NaNs' sake.
    assertThat(bits(trimmed)).isEqualTo(bits(sent.array()));
  }

  private static ByteBuffer bits(Object array) {
    ElementType type = ElementType.of(array);
    ByteBuffer bits = ByteBuffer.allocate(java.lang.reflect.Array.getLength(array) * type.bytes());
    io.arraywire.spi.BulkElements.put(
        type, array, 0, java.lang.reflect.Array.getLength(array), bits, ByteOrder.BIG_ENDIAN);
    return bits.flip();
  }

  /** Gives what was not asked for, as a pool may. */
  private static final class DirectOnlyPool implements MemoryPool {
    private final MemoryPool accounts = HeapMemoryPool.create();

    @Override
    public PooledMemory acquire(int bytes, MemoryKind kind) {
      PooledMemory account = accounts.acquire(bytes, kind);
      ByteBuffer direct = ByteBuffer.allocateDirect(bytes);
      return new PooledMemory() {
        @Override
        public ByteBuffer buffer() {
          return direct;
        }

        @Override
        public void release() {
          account.release();
        }
      };
    }

    @Override
    public long acquiredBytes() {
      return accounts.acquiredBytes();
    }

    @Override
    public void close() {
      accounts.close();
    }
  }
}
