package io.arraywire.stream;

import static io.arraywire.stream.BlockingTransportTest.failure;
import static io.arraywire.stream.BlockingTransportTest.sent;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.BindFailedException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TimedOutException;
import io.arraywire.Transport;
import io.arraywire.engine.AcceptPauses;
import io.arraywire.security.AcceptLimits;
import io.arraywire.stream.Fixture.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Listeners: what they refuse, what they bear, how they end. */
class ListeningTest {

  @Test
  void thePortIsInUse() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP);
        ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      SocketAddress address = other.getLocalSocketAddress();
      assertThatThrownBy(() -> fixture.transport().listen(address))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith(
              "cannot listen: the port is in use; end what listens there, or listen on port 0, which"
                  + " takes a free one (address=")
          .hasMessageContaining(String.valueOf(other.getLocalPort()));
    }
  }

  @Test
  void theAddressIsForeign() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      assertThatThrownBy(() -> fixture.transport().listen(new InetSocketAddress("192.0.2.1", 0)))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith(
              "cannot listen: the address is not one of this host; listen on one that it has, or on"
                  + " all of them (:port) (address=");
      assertThatThrownBy(() ->
              fixture
                  .transport()
                  .listen(InetSocketAddress.createUnresolved("no-such-host.invalid", 0)))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith(
              "cannot listen: the host is unknown; correct its name, or give an IP address (address=");
    }
  }

  @Test
  void theSocketFileCannotBeMade(@TempDir Path directory) throws Exception {
    Path taken = Files.writeString(directory.resolve("taken"), "someone's");
    try (Fixture fixture = new Fixture(Kind.UNIX)) {
      Transport transport = fixture.transport();
      assertThatThrownBy(() -> transport.listen(UnixDomainSocketAddress.of(taken)))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith(
              "cannot listen: the file exists; remove it if no process listens");
      assertThat(taken).hasContent("someone's");
      assertThatThrownBy(
              () -> transport.listen(UnixDomainSocketAddress.of(directory.resolve("no/where"))))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith("cannot listen: there is no such directory");
      assertThatThrownBy(() ->
              transport.listen(UnixDomainSocketAddress.of(directory.resolve("x".repeat(120)))))
          .isInstanceOf(BindFailedException.class)
          .hasMessageStartingWith("cannot listen: the path of the socket file is too long");
    }
  }

  @Test
  void theSocketFileIsRemovedUnlessItIsAnothers(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("s");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(path);
    try (Fixture fixture = new Fixture(Kind.UNIX)) {
      Listener first = fixture.transport().listen(address);
      assertThat(path).exists();
      first.close();
      first.close();
      assertThat(path).doesNotExist();

      Listener second = fixture.transport().listen(address);
      Files.delete(path);
      try (Listener third = fixture.transport().listen(address)) {
        second.close();
        assertThat(path).exists();
        fixture.transport().connect(third.address()).closeNow();
      }
      assertThat(path).doesNotExist();
    }
  }

  @Test
  void aPortCanBeHadAgainAtOnce() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Transport transport = fixture.transport();
      Listener first = transport.listen(fixture.anyAddress());
      assertThat(((InetSocketAddress) first.address()).getPort()).isPositive();
      assertThat(first.toString()).contains(first.address().toString());
      Connection out = transport.connect(first.address());
      Connection in = first.accept();
      first.close();
      // This end closes first, so that the port is kept for late segments.
      in.closeNow();
      assertThatThrownBy(out::receive).isInstanceOf(ArraywireException.class);
      for (int i = 0; i < 50; i++) {
        transport.listen(first.address()).close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStrangerAndASilentPeerDelayNobody(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind);
        Logged log = Logged.begin()) {
      Transport transport = fixture.transport(o -> o.connectTimeout(Duration.ofMinutes(10)));
      Listener listener = transport.listen(fixture.anyAddress());
      SocketAddress address = listener.address();
      StreamSocket silent = Sockets.system().unconnected(address);
      silent.connect(address);
      StreamSocket stranger = Sockets.system().unconnected(address);
      stranger.connect(address);
      stranger.write(ByteBuffer.wrap("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
      assertThat(readAll(stranger)).isZero();

      Connection out = transport.connect(address);
      Connection in = listener.accept();
      assertThat(in.remoteAddress()).isEqualTo(out.localAddress());
      in.closeNow();
      out.closeNow();
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() ->
              assertThat(log.messages("a peer was not accepted"))
                  .singleElement()
                  .asString()
                  .contains("HTTP")
                  .contains("address=" + address));
      listener.close();
      // The silent one is let go at once, not when its time is over.
      long start = System.nanoTime();
      assertThat(readAll(silent)).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
      silent.close();
      stranger.close();
    }
  }

  @Test
  void aSilentPeerIsLetGoAfterAWhile() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Transport hasty = fixture.transport(o -> o.connectTimeout(Duration.ofMillis(200)));
      try (Listener listener = hasty.listen(fixture.anyAddress())) {
        StreamSocket silent = Sockets.system().unconnected(listener.address());
        silent.connect(listener.address());
        assertThat(readAll(silent)).isZero();
        silent.close();
        await().atMost(Duration.ofMinutes(1)).until(() -> fixture.alive().isEmpty());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void acceptedConnectionsOutliveTheirListener(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      Transport transport = fixture.transport();
      Listener listener = transport.listen(fixture.anyAddress());
      Connection out = transport.connect(listener.address());
      Connection in = listener.accept();
      Connection neverAccepted = transport.connect(listener.address());
      CompletableFuture<Throwable> receiving = failure(neverAccepted::receive);
      listener.close();
      assertThat(receiving.get(20, SECONDS)).isInstanceOf(ArraywireException.class);
      assertThatThrownBy(listener::accept).isInstanceOf(ConnectionClosedException.class);
      out.send(new int[] {7});
      assertThat(in.receive().ints()).containsExactly(7);
      in.send(new int[] {8});
      assertThat(out.receive().ints()).containsExactly(8);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAHandlerHasIsClosedInAnOrderlyWay(Kind kind) throws Exception {
    try (Fixture fixture = new Fixture(kind)) {
      CountDownLatch inHand = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      CompletableFuture<String> closed = new CompletableFuture<>();
      List<Integer> taken = new ArrayList<>();
      ArrayHandler slow =
          new ArrayHandler() {
            @Override
            public void onArray(Connection from, ReceivedArray array) throws Exception {
              inHand.countDown();
              go.await();
              taken.add(array.ints()[0]);
            }

            @Override
            public void onClosed(Connection from, @Nullable ArraywireException cause) {
              closed.complete("cause=" + cause);
            }
          };
      Listener listener = fixture.transport().listen(fixture.anyAddress(), slow);
      assertThatThrownBy(listener::accept).isInstanceOf(IllegalStateException.class);
      Connection out = fixture.transport().connect(listener.address());
      var first = sent(out, ArraySlice.of(new int[] {1}));
      var second = sent(out, ArraySlice.of(new int[] {2}));
      inHand.await();
      CompletableFuture<Void> closing =
          CompletableFuture.runAsync(() -> {
            try {
              listener.close();
            } catch (ArraywireException e) {
              throw new IllegalStateException(e);
            }
          });
      go.countDown();
      closing.get(20, SECONDS);
      first.get(20, SECONDS);
      second.get(20, SECONDS);
      assertThat(closed.get(20, SECONDS)).isEqualTo("cause=null");
      assertThat(taken).containsExactly(1, 2);
      assertThatThrownBy(() -> out.send(new int[1])).isInstanceOf(ConnectionClosedException.class);
    }
  }

  @Test
  void aHandlerMayCloseItsListener() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      CompletableFuture<Listener> listening = new CompletableFuture<>();
      CompletableFuture<Void> closed = new CompletableFuture<>();
      // Were it to wait for itself, it would be for so long.
      Listener listener =
          fixture
              .transport(o -> o.closeTimeout(Duration.ofMinutes(10)))
              .listen(
                  fixture.anyAddress(),
                  (from, array) -> {
                    listening.get().close();
                    closed.complete(null);
                  });
      listening.complete(listener);
      Connection out = fixture.transport().connect(listener.address());
      var receipt = sent(out, ArraySlice.of(new int[1]));
      closed.get(60, SECONDS);
      receipt.get(20, SECONDS);
    }
  }

  @Test
  void peersThatDoNotReadAreWaitedForTogether() throws Exception {
    int peers = 4;
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      // One after the other, the second would begin to close in ten minutes.
      Transport patient = fixture.transport(o -> o.closeTimeout(Duration.ofMinutes(10)));
      List<Connection> flooded = new CopyOnWriteArrayList<>();
      Listener listener = patient.listen(fixture.anyAddress(), flooding(flooded));
      List<Connection> open = new ArrayList<>();
      for (int i = 0; i < peers; i++) {
        open.add(fixture.transport().connect(listener.address()));
        open.get(i).send(new int[1]);
      }
      await().atMost(Duration.ofMinutes(1)).until(() -> flooded.size() == peers);
      CompletableFuture<Throwable> closing =
          failure(() -> {
            listener.close();
            return null;
          });
      for (Connection each : flooded) {
        await().atMost(Duration.ofMinutes(1)).until(() -> refusesToSend(each));
      }
      assertThat(closing).isNotDone();
      for (Connection each : open) {
        each.closeNow();
      }
      closing.handle((nothing, failure) -> failure).get(60, SECONDS);
    }
  }

  @Test
  void peersThatDoNotReadAreWaitedForUntilTheCloseTimeout() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Transport hasty = fixture.transport(o -> o.closeTimeout(Duration.ofSeconds(1)));
      List<Connection> flooded = new CopyOnWriteArrayList<>();
      Listener listener = hasty.listen(fixture.anyAddress(), flooding(flooded));
      Connection out = fixture.transport().connect(listener.address());
      out.send(new int[1]);
      await().atMost(Duration.ofMinutes(1)).until(() -> flooded.size() == 1);
      assertThatThrownBy(listener::close)
          .isInstanceOf(TimedOutException.class)
          .matches(ErrorCode.CLOSE_TIMEOUT::isOf);
      out.closeNow();
    }
  }

  /** Answers with more than a peer's socket holds. */
  private static ArrayHandler flooding(List<Connection> flooded) {
    return (from, array) -> {
      var unused = from.sendAsync(ArraySlice.of(new int[16 << 20]), SendOptions.processed());
      flooded.add(from);
    };
  }

  /** Asks with a send that waits in vain, or for which there is no room, until it is refused. */
  private static boolean refusesToSend(Connection connection) {
    Throwable failure =
        sent(connection, ArraySlice.of(new int[1]))
            .handle((receipt, thrown) -> thrown)
            .getNow(null);
    return failure instanceof ConnectionClosedException
        || (failure != null && failure.getCause() instanceof ConnectionClosedException);
  }

  /** What Linux says for EMFILE, and for ENOBUFS, which no test can bring about. */
  @ParameterizedTest
  @CsvSource({
    "Too many open files (Accept failed),raise the limit (ulimit -n)",
    "No buffer space available (Accept failed),the system has no memory left for sockets"
  })
  void acceptBacksOffAndRecovers(String failure, String hint) throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP);
        Logged log = Logged.begin()) {
      AtomicInteger attempts = new AtomicInteger();
      UnkindSockets sockets = new UnkindSockets(Integer.MAX_VALUE);
      sockets.acceptFailure.set(() -> {
        attempts.incrementAndGet();
        return new SocketException(failure);
      });
      Transport transport = fixture.transport(o -> o, sockets, Threads.platform());
      Listener listener = transport.listen(fixture.anyAddress());
      await().atMost(Duration.ofMinutes(1)).until(() -> attempts.get() >= 6);
      CompletableFuture<Connection> connected = new CompletableFuture<>();
      Thread caller =
          new Thread(() -> {
            try {
              connected.complete(transport.connect(listener.address()));
            } catch (ArraywireException | InterruptedException e) {
              connected.completeExceptionally(e);
            }
          });
      caller.start();
      sockets.acceptFailure.set(null);
      // Half a second at most, unless the machine is busy; not minutes after hours of failures.
      connected.get(60, SECONDS);
      assertThat(log.messages("peers cannot be accepted for now"))
          .singleElement()
          .asString()
          .contains("address=" + listener.address())
          .contains(hint);
      // Some twenty attempts in a second and a half, not a million.
      assertThat(attempts.get()).isLessThan(40);
      caller.join();
    }
  }

  @Test
  void closingDoesNotWaitForABackOff() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      AtomicInteger attempts = new AtomicInteger();
      UnkindSockets sockets = new UnkindSockets(Integer.MAX_VALUE);
      sockets.acceptFailure.set(() -> {
        attempts.incrementAndGet();
        return new SocketException("Too many open files (Accept failed)");
      });
      Transport transport = fixture.transport(o -> o, sockets, Threads.platform());
      Listener listener = transport.listen(fixture.anyAddress());
      await().atMost(Duration.ofMinutes(1)).until(() -> attempts.get() >= 8);
      listener.close();
      assertThat(acceptingThreads()).isEmpty();
    }
    // A pause that has already begun ends with the listener, not with its time.
    RestlessLatch closed = new RestlessLatch();
    new AcceptPauses(new InetSocketAddress(0))
        .rest(new SocketException("Too many open files (Accept failed)"), closed);
    assertThat(closed.rested).isEqualTo("ended by the listener");
  }

  /** What a listener counts down when it closes; it does so while an acceptor rests. */
  private static final class RestlessLatch extends CountDownLatch {
    String rested = "never waited for";

    RestlessLatch() {
      super(1);
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
      assertThat(unit.toNanos(timeout)).isPositive();
      Thread closing = new Thread(this::countDown);
      closing.start();
      // However short the pause is, and however slow this machine.
      boolean ended = super.await(60, SECONDS);
      closing.join();
      rested = ended ? "ended by the listener" : "by its own time";
      return ended;
    }
  }

  @Test
  void aPeerForWhichThereIsNoThreadIsLetGo() throws Exception {
    try (Fixture fixture = new Fixture(Kind.TCP);
        Logged log = Logged.begin()) {
      ScarceThreads scarce = new ScarceThreads(0);
      Transport poor = fixture.transport(o -> o, Sockets.system(), scarce);
      try (Listener listener = poor.listen(fixture.anyAddress())) {
        assertThatThrownBy(() -> fixture.transport().connect(listener.address()))
            .isInstanceOf(ArraywireException.class);
        fixture.awaitIdle();
        scarce.more(2);
        Connection out = fixture.transport().connect(listener.address());
        Connection in = listener.accept();
        out.send(new int[] {5});
        assertThat(in.receive().ints()).containsExactly(5);
      }
      assertThat(log.messages("peers cannot be accepted for now"))
          .hasSize(1)
          .allMatch(message -> message.contains("no more threads"));
    }
  }

  /** One that is told nothing, as in plain mode. */
  @Test
  void aRefusedPeerCostsNoThread() throws Exception {
    AtomicInteger threads = new AtomicInteger();
    try (Fixture fixture = new Fixture(Kind.TCP)) {
      Transport transport =
          fixture.transport(
              options ->
                  options.plain(ElementType.INT).acceptLimits(AcceptLimits.none().connections(1)),
              Sockets.system(),
              (name, task) -> {
                threads.incrementAndGet();
                return Threads.platform().unstarted(name, task);
              });
      try (Listener listener = transport.listen(fixture.anyAddress());
          Socket friend = socket(listener)) {
        Connection accepted = listener.accept();
        for (int i = 0; i < 10; i++) {
          try (Socket refused = socket(listener)) {
            assertThatThrownBy(() -> refused.getInputStream().read())
                .isInstanceOf(SocketException.class);
          }
        }
        friend.getOutputStream().write(new byte[] {0, 0, 0, 1, 0, 0, 0, 5});
        assertThat(accepted.receive().ints()).containsExactly(5);
      }
    }
    assertThat(threads).hasValue(2);
  }

  private static Socket socket(Listener listener) throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.address();
    return new Socket(address.getAddress(), address.getPort());
  }

  private static List<Thread> acceptingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("arraywire-stream-accept"))
        .toList();
  }

  /** Reads to the end; a reset is an end, too. */
  private static int readAll(StreamSocket socket) {
    ByteBuffer bytes = ByteBuffer.allocate(1 << 10);
    try {
      while (socket.read(bytes) > 0) {}
    } catch (IOException e) {
      // A reset.
    }
    return bytes.position();
  }
}
