package io.arraywire.stream;

import static io.arraywire.stream.BlockingTransportTest.failure;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ConnectFailedException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ErrorCode;
import io.arraywire.HandshakeException;
import io.arraywire.ProtocolException;
import io.arraywire.Transport;
import io.arraywire.stream.Fixture.Kind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that are not made: each cause is named, and nothing stays open. */
class ConnectingTest {
  private final Fixture fixture = new Fixture(Kind.TCP);

  /** One whose own limits end nothing while a test waits. */
  private final Transport transport =
      fixture.transport(o -> o.connectTimeout(Duration.ofMinutes(10)));

  private final int sockets = Descriptors.sockets();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(Descriptors.sockets()).isLessThanOrEqualTo(sockets));
    fixture.close();
    await().atMost(Duration.ofMinutes(1)).until(() -> ConnectingTest.connectingThreads().isEmpty());
  }

  @Test
  void nobodyListens() throws Exception {
    // Has the port and does not listen: nobody else gets it meanwhile.
    Socket bound = keep(new Socket());
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    InetSocketAddress address = (InetSocketAddress) bound.getLocalSocketAddress();
    assertThatThrownBy(() -> transport.connect(address))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: nobody listens at the address; start the listener first, or correct the"
                + " address (address=")
        .hasMessageContaining(String.valueOf(address.getPort()))
        .hasCauseInstanceOf(ConnectException.class);
  }

  @Test
  void theHostIsUnknown() {
    assertThatThrownBy(
            () -> transport.connect(InetSocketAddress.createUnresolved("no-such-host.invalid", 9)))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: the host is unknown; correct its name, or give an IP address"
                + " (address=no-such-host.invalid")
        .hasCauseInstanceOf(UnknownHostException.class);
  }

  @Test
  void aNameIsLookedUpLate() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InetSocketAddress late =
          InetSocketAddress.createUnresolved("localhost", server.getLocalPort());
      CompletableFuture<Throwable> failure = failure(() -> transport.connect(late));
      server.accept().close();
      // The connection was there.
      assertThat(failure.get(20, SECONDS))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf);
    }
  }

  @Test
  void thereIsNoRoute() {
    assertThatThrownBy(() -> transport.connect(new InetSocketAddress("255.255.255.255", 9)))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: there is no route to the host; correct the address, or the network"
                + " (address=/255.");
  }

  @Test
  void thereIsNoSuchSocketFile(@TempDir Path directory) {
    assertThatThrownBy(
            () -> transport.connect(UnixDomainSocketAddress.of(directory.resolve("none"))))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: there is no such socket file; start the listener first, or correct the"
                + " path (address=")
        .hasMessageContaining("none");
  }

  @Test
  void nobodyListensAtASocketFile(@TempDir Path directory) throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("left"));
    ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(address).close();
    assertThatThrownBy(() -> transport.connect(address))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: nobody listens at the address; start the listener first, or correct the"
                + " address (address=");
  }

  @Test
  void theSocketFilesPathIsTooLong(@TempDir Path directory) {
    assertThatThrownBy(
            () -> transport.connect(UnixDomainSocketAddress.of(directory.resolve("x".repeat(120)))))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: the path of the socket file is too long; use a shorter one");
  }

  @Test
  void thereIsNoSuchKindOfAddress() {
    assertThatThrownBy(() -> transport.connect(new OtherAddress()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("address=other, type=");
    assertThatThrownBy(() -> transport.listen(new OtherAddress()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nobodyAnswersInTime() throws Exception {
    Transport hasty = fixture.transport(o -> o.connectTimeout(Duration.ofMillis(300)));
    SocketAddress silent = fullQueue();
    long start = System.nanoTime();
    assertThatThrownBy(() -> hasty.connect(silent))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: no answer in time; a firewall may drop what is sent there; else raise"
                + " connectTimeout (address=")
        .hasMessageContaining("connectTimeout=PT0.3S");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(300), Duration.ofMinutes(1));
  }

  @Test
  void nobodyAnswersInTimeAtASocketFile(@TempDir Path directory) throws Exception {
    Transport hasty = fixture.transport(o -> o.connectTimeout(Duration.ofMillis(300)));
    SocketAddress silent = fullQueue(directory);
    assertThatThrownBy(() -> hasty.connect(silent))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageStartingWith(
            "cannot connect: no answer in time; a firewall may drop what is sent there; else raise"
                + " connectTimeout (address=");
  }

  @Test
  void anInterruptEndsTheWait() throws Exception {
    assertInterruptible(fullQueue());
  }

  @Test
  void anInterruptEndsTheWaitAtASocketFile(@TempDir Path directory) throws Exception {
    assertInterruptible(fullQueue(directory));
  }

  @Test
  void anInterruptEndsTheHandshake() throws Exception {
    ServerSocket server = keep(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
    assertInterruptible(server.getLocalSocketAddress());
    try (Socket accepted = server.accept()) {
      accepted.setSoTimeout(10_000);
      // Its first words, and the end.
      assertThat(accepted.getInputStream().readAllBytes()).isNotEmpty();
    }
  }

  @Test
  void closingTheTransportEndsTheWait() throws Exception {
    SocketAddress silent = fullQueue();
    CompletableFuture<Throwable> failure = failure(() -> transport.connect(silent));
    await().atMost(Duration.ofMinutes(1)).until(() -> !connectingThreads().isEmpty());
    transport.close();
    // Long before the attempt would have taken too long.
    assertThat(failure.get(60, SECONDS))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("the transport is closed");
  }

  @Test
  void thePeerIsNotArraywire() throws Exception {
    ServerSocket server = keep(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
    CompletableFuture<Throwable> failure =
        failure(() -> transport.connect(server.getLocalSocketAddress()));
    try (Socket accepted = server.accept()) {
      accepted
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(failure.get(20, SECONDS))
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.BAD_MAGIC::isOf);
    }
  }

  @Test
  void thePeerIsSilent() throws Exception {
    Transport hasty = fixture.transport(o -> o.connectTimeout(Duration.ofMillis(300)));
    ServerSocket server = keep(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
    assertThatThrownBy(() -> hasty.connect(server.getLocalSocketAddress()))
        .isInstanceOf(HandshakeException.class)
        .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
        .hasMessageContaining("connectTimeout=PT0.3S");
  }

  @Test
  void thereIsNoThreadForTheConnection() throws Exception {
    for (int threadsToHave = 0; threadsToHave < 2; threadsToHave++) {
      ScarceThreads scarce = new ScarceThreads(threadsToHave);
      Transport poor =
          fixture.transport(o -> o.closeTimeout(Duration.ofMinutes(10)), Sockets.system(), scarce);
      ServerSocket server = keep(new ServerSocket(0, 5, InetAddress.getLoopbackAddress()));
      assertThatThrownBy(() -> poor.connect(server.getLocalSocketAddress()))
          .as("threads to have: %s", threadsToHave)
          .isInstanceOf(ConnectFailedException.class)
          .hasMessageContaining("no thread could be started for a connection")
          .hasMessageContaining("the system lets this process have no more threads")
          .hasRootCauseInstanceOf(OutOfMemoryError.class);
      try (Socket accepted = server.accept()) {
        accepted.setSoTimeout(10_000);
        assertThat(accepted.getInputStream().readAllBytes()).isEmpty();
      }
      // It would wait for a connection that was not disposed of.
      long start = System.nanoTime();
      poor.close();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMinutes(1));
    }
  }

  private void assertInterruptible(SocketAddress silent) throws Exception {
    int before = Descriptors.sockets();
    AtomicReference<Thread> caller = new AtomicReference<>();
    CompletableFuture<Throwable> failure =
        failure(() -> {
          caller.set(Thread.currentThread());
          return transport.connect(silent);
        });
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            caller.get() != null
                && (caller.get().getState() == Thread.State.WAITING
                    || caller.get().getState() == Thread.State.TIMED_WAITING));
    caller.get().interrupt();
    // Long before the attempt would have taken too long.
    assertThat(failure.get(60, SECONDS)).isInstanceOf(InterruptedException.class);
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> Descriptors.sockets() <= before && connectingThreads().isEmpty());
  }

  /** A listener whose queue is full, so that the system answers nobody. */
  private SocketAddress fullQueue() throws IOException {
    ServerSocket server = keep(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    for (int i = 0; i < 2; i++) {
      keep(new Socket()).connect(server.getLocalSocketAddress(), 5_000);
    }
    return server.getLocalSocketAddress();
  }

  private SocketAddress fullQueue(Path directory) throws IOException {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("full"));
    keep(ServerSocketChannel.open(StandardProtocolFamily.UNIX)).bind(address, 1);
    for (int i = 0; i < 2; i++) {
      keep(SocketChannel.open(address));
    }
    return address;
  }

  private <T extends AutoCloseable> T keep(T resource) {
    opened.add(resource);
    return resource;
  }

  private static List<Thread> connectingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("arraywire-stream-connect"))
        .toList();
  }

  private static final class OtherAddress extends SocketAddress {
    private static final long serialVersionUID = 1;

    @Override
    public String toString() {
      return "other";
    }
  }
}
