package io.arraywire.nio;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.testkit.SeededArrays;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is particular to the nonblocking transport; the rest is in its contract. */
class SelectorTransportTest {
  private final TrackingMemoryPool pool = TrackingMemoryPool.around(new NettyMemoryPool());
  private final TransportOptions options = TransportOptions.builder().memoryPool(pool).build();
  private final InetSocketAddress anyPort =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private final List<Transport> opened = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    opened.forEach(Transport::close);
    // Throws with the place of every acquisition that was not given back.
    pool.close();
  }

  private Transport transport(NioOptions nioOptions) {
    return transport(new SelectorTransport(options, nioOptions, SocketIo::of));
  }

  private Transport transport(Transport transport) {
    opened.add(transport);
    return transport;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64, 1000, 70_000})
  void arraysSurviveReadsAndWritesOfAFewBytes(int most) throws Exception {
    long seed = 20261121;
    Transport unkind =
        transport(
            new SelectorTransport(
                options,
                NioOptions.builder().eventLoops(2).build(),
                UnkindIo.portions(seed, most)));
    int length = most == 1 ? 3_000 : 100_000;
    float[] sent = floats(seed, length);
    try (Listener listener = unkind.listen(anyPort);
        Connection out = unkind.connect(listener.address());
        Connection in = listener.accept()) {
      CompletableFuture<Receipt> receipt =
          out.sendAsync(ArraySlice.of(sent), SendOptions.processed()).toCompletableFuture();
      float[] received = new float[length];
      in.receiveInto(ArraySlice.of(received, 0, length));
      assertThat(received).as("seed " + seed).isEqualTo(sent);
      assertThat(receipt.get(60, SECONDS).elements()).isEqualTo(length);
      // And a lease, which is read into by the channel itself.
      CompletableFuture<Receipt> second =
          out.sendAsync(ArraySlice.of(sent), SendOptions.processed()).toCompletableFuture();
      try (var lease = in.receiveLeased()) {
        lease.copyTo(ArraySlice.of(received));
      }
      assertThat(received).as("seed " + seed).isEqualTo(sent);
      second.get(60, SECONDS);
    }
  }

  @Test
  void aPeerThatDoesNotReadCostsNoSpin() throws Exception {
    List<UnkindIo> ios = new CopyOnWriteArrayList<>();
    Transport counted =
        transport(
            new SelectorTransport(
                options,
                NioOptions.defaults(),
                channel -> {
                  UnkindIo io = UnkindIo.counting(channel);
                  ios.add(io);
                  return io;
                }));
    try (Listener listener = counted.listen(anyPort);
        Connection out = counted.connect(listener.address());
        Connection in = listener.accept()) {
      float[] sent = floats(3, 16 << 20);
      CompletableFuture<Receipt> receipt =
          out.sendAsync(ArraySlice.of(sent), SendOptions.processed()).toCompletableFuture();
      // Nobody receives, so the array stays outside once the kernel's buffers are full; a loop that
      // kept
      // trying would be seen to write without end.
      UnkindIo sender = ios.get(0);
      AtomicInteger still = new AtomicInteger();
      long[] last = {-1};
      await()
          .pollInterval(Duration.ofMillis(100))
          .atMost(Duration.ofSeconds(60))
          .until(() -> {
            long writes = sender.writes.get();
            still.set(writes == last[0] ? still.get() + 1 : 0);
            last[0] = writes;
            return still.get() >= 5;
          });
      assertThat(receipt).isNotDone();
      float[] received = new float[sent.length];
      in.receiveInto(received);
      assertThat(received).isEqualTo(sent);
      receipt.get(60, SECONDS);
    }
  }

  static List<WaitStrategy> strategies() {
    return List.of(
        WaitStrategy.sleeping(), WaitStrategy.adaptive(Duration.ofMillis(1)), WaitStrategy.busy());
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void everyWaitStrategyHearsOfTasksAndBytes(WaitStrategy strategy) throws Exception {
    Transport transport =
        transport(NioOptions.builder().eventLoops(2).waitStrategy(() -> strategy).build());
    try (Listener listener = transport.listen(anyPort);
        Connection out = transport.connect(listener.address());
        Connection in = listener.accept()) {
      CompletableFuture<Void> echo =
          CompletableFuture.runAsync(() -> {
            try {
              for (int i = 0; i < 500; i++) {
                in.send(in.receive().ints());
              }
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
      for (int i = 0; i < 500; i++) {
        out.send(new int[] {i});
        assertThat(out.receive().ints()).containsExactly(i);
      }
      echo.get(60, SECONDS);
    }
  }

  @Test
  void unixDomainSocketsCarryArraysAndLeaveNoFile(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("s");
    Transport transport = transport(NioOptions.defaults());
    try (Listener listener = transport.listen(UnixDomainSocketAddress.of(file));
        Connection out = transport.connect(listener.address());
        Connection in = listener.accept()) {
      out.send(new long[] {1, -1});
      assertThat(in.receive().longs()).containsExactly(1, -1);
    }
    assertThat(Files.exists(file)).isFalse();
  }

  @Test
  void aStrangerIsLoggedAsByEveryTransport() throws Exception {
    try (RecordedLog log = new RecordedLog();
        Listener listener = transport(NioOptions.defaults()).listen(anyPort)) {
      InetSocketAddress address = (InetSocketAddress) listener.address();
      try (Socket stranger = new Socket(address.getAddress(), address.getPort())) {
        stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII));
        assertThat(log.await("a peer was not accepted (address=" + address + ", peer="))
            .singleElement()
            .extracting(LogRecord::getMessage)
            .asString()
            .contains("HTTP");
      }
    }
  }

  @Test
  void whatAHandlerThrewIsLoggedWithItsStack() throws Exception {
    IllegalStateException thrown = new IllegalStateException("made by a test");
    ArrayHandler failing =
        (connection, array) -> {
          throw thrown;
        };
    Transport transport = transport(NioOptions.defaults());
    try (RecordedLog log = new RecordedLog();
        Listener listener = transport.listen(anyPort, failing);
        Connection connection = transport.connect(listener.address())) {
      assertThatThrownBy(
              () -> connection.channel(3).send(ArraySlice.of(new int[1]), SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class);
      assertThat(log.await("array refused and its sender told (channel=3, sequence=1, peer="))
          .singleElement()
          .satisfies(each -> {
            assertThat(each.getMessage()).contains("made by a test");
            assertThat(each.getThrown()).isSameAs(thrown);
          });
    }
  }

  @Test
  void aBusyPortAndAForeignAddressAreNamed() throws Exception {
    Transport transport = transport(NioOptions.defaults());
    try (Listener listener = transport.listen(anyPort)) {
      assertThatThrownBy(() -> transport.listen(listener.address()))
          .isInstanceOf(BindFailedException.class)
          .hasMessageContaining("address=" + listener.address());
    }
    assertThatThrownBy(() -> transport.listen(new InetSocketAddress("192.0.2.1", 0)))
        .isInstanceOf(BindFailedException.class)
        .hasMessageContaining("192.0.2.1");
    assertThatThrownBy(
            () -> transport.connect(InetSocketAddress.createUnresolved("no.such.invalid", 1)))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageContaining("no.such.invalid");
  }

  @Test
  void aListenersPortIsFreeWhenCloseReturns() throws Exception {
    Transport transport = transport(NioOptions.defaults());
    InetSocketAddress address;
    try (Listener first = transport.listen(anyPort)) {
      address = (InetSocketAddress) first.address();
    }
    for (int i = 0; i < 50; i++) {
      transport.listen(address).close();
    }
  }

  @Test
  void aRefusedConnectionIsNamedAndLeavesNothingOpen() throws Exception {
    Transport transport = transport(NioOptions.defaults());
    InetSocketAddress address;
    try (Listener listener = transport.listen(anyPort)) {
      address = (InetSocketAddress) listener.address();
    }
    int before = openDescriptors();
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> transport.connect(address))
          .isInstanceOf(ConnectFailedException.class)
          .hasMessageContaining("address=" + address)
          .hasMessageContaining("refused");
    }
    await().atMost(Duration.ofMinutes(1)).until(() -> openDescriptors() <= before + 5);
  }

  private static float[] floats(long seed, int length) {
    return (float[]) SeededArrays.withSeed(seed).array(ElementType.FLOAT, length);
  }

  private static int openDescriptors() {
    String[] descriptors = new File("/proc/self/fd").list();
    return descriptors == null ? 0 : descriptors.length;
  }

  @Test
  void closingATransportEndsItsThreadsAndConnections() throws Exception {
    Transport transport = new SelectorTransport(options, NioOptions.defaults(), SocketIo::of);
    // Of another one: of two ends that close at the same time, one may hear of the other first.
    Transport peers = new SelectorTransport(options, NioOptions.defaults(), SocketIo::of);
    Listener listener = peers.listen(anyPort);
    Connection out = transport.connect(listener.address());
    listener.accept();
    transport.close();
    transport.close();
    assertThat(out.isOpen()).isFalse();
    assertThatThrownBy(() -> out.send(new int[1])).hasMessageContaining("closed");
    assertThatThrownBy(() -> transport.listen(anyPort)).hasMessageContaining("transport is closed");
    out.close();
    listener.close();
    peers.close();
  }

  @Test
  void socketsHaveTheBuffersAskedFor() throws Exception {
    List<SocketChannel> channels = new CopyOnWriteArrayList<>();
    Transport transport =
        transport(
            new SelectorTransport(
                options.toBuilder().sendBufferBytes(20_000).receiveBufferBytes(30_000).build(),
                NioOptions.defaults(),
                channel -> {
                  channels.add(channel);
                  return SocketIo.of(channel);
                }));
    Listener listener = transport.listen(anyPort);
    transport.connect(listener.address());
    listener.accept();
    assertThat(channels).hasSize(2);
    for (SocketChannel channel : channels) {
      // Linux says twice of what it was asked for, since it counts its own records, too.
      assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF)).isBetween(20_000, 40_000);
      assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF)).isBetween(30_000, 60_000);
    }
  }

  @Test
  void optionsHaveTheirDefaultsAndRanges() {
    assertThat(NioOptions.defaults().eventLoops())
        .isEqualTo(Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors() / 2)));
    assertThatThrownBy(() -> NioOptions.builder().eventLoops(0).build())
        .hasMessageContaining("eventLoops=0");
    assertThatThrownBy(() -> WaitStrategy.adaptive(Duration.ZERO))
        .hasMessageContaining("bound=PT0S");
  }
}
