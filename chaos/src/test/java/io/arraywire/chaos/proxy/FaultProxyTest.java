package io.arraywire.chaos.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault as plain sockets see it. */
final class FaultProxyTest {
  private static final int PATIENCE_MILLIS = 60_000;
  private static final int MOMENT_MILLIS = 100;
  private static final Duration PAUSE = Duration.ofMillis(300);
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration EVER = Duration.ofHours(1);

  private final byte[] data = new byte[200_000];
  private ServerSocket server;
  private FaultProxy proxy;
  private Socket client;
  private Socket target;

  @BeforeEach
  void listen() throws IOException {
    new Random(1).nextBytes(data);
    server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
  }

  @AfterEach
  void nothingIsLeft() throws IOException {
    for (Socket socket : new Socket[] {client, target}) {
      if (socket != null) {
        socket.close();
      }
    }
    if (proxy != null) {
      proxy.close();
      assertThat(proxy.open()).isZero();
      assertThatThrownBy(this::dial).isInstanceOf(ConnectException.class);
    }
    server.close();
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("fault-proxy"));
  }

  private void start(Fault... faults) throws IOException {
    proxy = FaultProxy.to(server.getLocalSocketAddress()).faults(faults).start();
    connect();
  }

  private void connect() throws IOException {
    client = dial();
    target = server.accept();
    target.setSoTimeout(PATIENCE_MILLIS);
  }

  private Socket dial() throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(proxy.address(), PATIENCE_MILLIS);
      socket.setSoTimeout(PATIENCE_MILLIS);
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private static void send(Socket socket, byte[] bytes, int from, int to) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(bytes, from, to - from);
  }

  private byte[] first(int length) {
    return Arrays.copyOf(data, length);
  }

  private static byte[] read(Socket socket, int length) throws IOException {
    return socket.getInputStream().readNBytes(length);
  }

  private static void assertSilent(Socket socket) throws IOException {
    socket.setSoTimeout(MOMENT_MILLIS);
    assertThatThrownBy(() -> socket.getInputStream().read())
        .isInstanceOf(SocketTimeoutException.class);
    socket.setSoTimeout(PATIENCE_MILLIS);
  }

  private static void assertReset(Socket socket) {
    assertThatThrownBy(() -> socket.getInputStream().readAllBytes())
        .isInstanceOf(SocketException.class)
        .isNotInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void withoutFaultsBytesPassInBothDirectionsAndEndsTooOneAfterTheOther() throws Exception {
    start();
    send(client, data, 0, 1000);
    send(target, data, 1000, 3000);
    assertThat(read(target, 1000)).isEqualTo(first(1000));
    assertThat(read(client, 2000)).isEqualTo(Arrays.copyOfRange(data, 1000, 3000));
    client.shutdownOutput();
    assertThat(target.getInputStream().read()).isEqualTo(-1);
    send(target, data, 0, 5);
    target.close();
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(first(5));
    await().atMost(LONG).until(() -> proxy.open() == 0);
    assertThat(proxy.bytes(Direction.TO_TARGET)).isEqualTo(1000);
    assertThat(proxy.bytes(Direction.TO_CLIENT)).isEqualTo(2005);
    assertThat(proxy.toString()).contains("accepted=1", "bytesToTarget=1000", "done={}");
  }

  @Test
  void aResetOfOneEndReachesTheOther() throws Exception {
    start();
    client.setSoLinger(true, 0);
    client.close();
    assertReset(target);
  }

  @Test
  void aCutGivesExactlySoManyBytesAndThenTheEnd() throws Exception {
    start(Fault.cut(Direction.TO_TARGET, 70_001));
    send(client, data, 0, 80_000);
    assertThat(target.getInputStream().readAllBytes()).isEqualTo(first(70_001));
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    assertThat(proxy.count(FaultKind.CUT)).isEqualTo(1);
  }

  @Test
  void aCutOfTheWayBack() throws Exception {
    start(Fault.cut(Direction.TO_CLIENT, 7));
    send(target, data, 0, 80);
    assertThat(client.getInputStream().readAllBytes()).isEqualTo(first(7));
    assertThat(target.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void aResetAfterSomeBytesReachesBothEnds() throws Exception {
    start(Fault.reset(Direction.TO_TARGET, 5000));
    send(client, data, 0, 10_000);
    assertReset(target);
    assertReset(client);
    assertThat(proxy.count(FaultKind.RESET)).isEqualTo(1);
    assertThat(proxy.bytes(Direction.TO_TARGET)).isEqualTo(5000);
  }

  @Test
  void aStallHoldsOneDirectionFromThereOnAndLosesNothing() throws Exception {
    start(Fault.stall(Direction.TO_TARGET, 10, PAUSE));
    long begin = System.nanoTime();
    send(client, data, 0, 20);
    assertThat(read(target, 10)).isEqualTo(first(10));
    send(target, data, 0, 3);
    assertThat(read(client, 3)).isEqualTo(first(3));
    assertThat(read(target, 10)).isEqualTo(Arrays.copyOfRange(data, 10, 20));
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(PAUSE.toNanos());
  }

  @Test
  void aStallWithoutEndIsFeltByTheSender() throws Exception {
    start(Fault.stall(Direction.TO_TARGET, 10, EVER));
    send(client, data, 0, 20);
    assertThat(read(target, 10)).isEqualTo(first(10));
    assertSilent(target);
  }

  @Test
  void aThrottleKeepsTheRate() throws Exception {
    start(Fault.throttle(Direction.TO_TARGET, 1000, 100_000));
    long begin = System.nanoTime();
    send(client, data, 0, 31_000);
    assertThat(read(target, 31_000)).isEqualTo(first(31_000));
    // The last portion, of a fiftieth of a second, needs not be waited for.
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(270_000_000);
  }

  @Test
  void aFlipTurnsOneBitOver() throws Exception {
    start(Fault.flip(Direction.TO_TARGET, 66_000, 3), Fault.flip(Direction.TO_CLIENT, 0, 7));
    byte[] expected = data.clone();
    expected[66_000] ^= 8;
    send(client, data, 0, data.length);
    assertThat(read(target, data.length)).isEqualTo(expected);
    send(target, data, 0, 1);
    assertThat(read(client, 1)[0]).isEqualTo((byte) (data[0] ^ 0x80));
  }

  @Test
  void aDelayHoldsWhatComes() throws Exception {
    start(Fault.delay(Direction.TO_CLIENT, 1, PAUSE));
    send(target, data, 0, 1);
    assertThat(read(client, 1)).isEqualTo(first(1));
    long begin = System.nanoTime();
    send(target, data, 1, 2);
    assertThat(read(client, 1)[0]).isEqualTo(data[1]);
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(PAUSE.toNanos());
  }

  @Test
  void aSplitGoesInSmallWrites() throws Exception {
    start(
        Fault.split(Direction.TO_TARGET, 0, 3),
        // Slow enough to see them apart, also where the reader comes late.
        Fault.throttle(Direction.TO_TARGET, 0, 10));
    send(client, data, 0, 12);
    byte[] all = new byte[12];
    int reads = 0;
    for (int done = 0; done < all.length; reads++) {
      int length = target.getInputStream().read(all, done, all.length - done);
      assertThat(length).isPositive();
      done += length;
    }
    assertThat(all).isEqualTo(first(12));
    assertThat(reads).isGreaterThan(1);
  }

  @Test
  void aPartitionStopsWhatThereIsAndWhatComesUntilItHeals() throws Exception {
    start();
    send(client, data, 0, 10);
    assertThat(read(target, 10)).isEqualTo(first(10));
    proxy.partition();
    send(client, data, 10, 20);
    send(target, data, 0, 10);
    assertSilent(target);
    assertSilent(client);
    try (Socket late = dial()) {
      send(late, data, 0, 1);
      assertSilent(late);
      proxy.heal();
      assertThat(read(target, 10)).isEqualTo(Arrays.copyOfRange(data, 10, 20));
      assertThat(read(client, 10)).isEqualTo(first(10));
      try (Socket lateTarget = server.accept()) {
        assertThat(read(lateTarget, 1)).isEqualTo(first(1));
      }
    }
    assertThat(proxy.count(FaultKind.PARTITION)).isEqualTo(1);
  }

  @Test
  void aPartitionForAWhileHealsByItself() throws Exception {
    start(Fault.partition(Direction.TO_TARGET, 10, PAUSE));
    long begin = System.nanoTime();
    send(client, data, 0, 20);
    assertThat(read(target, 20)).isEqualTo(first(20));
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(PAUSE.toNanos());
  }

  @Test
  void aRefusalTurnsNewConnectionsAwayAndLetsTheOldOnesLive() throws Exception {
    start();
    proxy.refuse();
    assertThatThrownBy(this::dial).isInstanceOf(ConnectException.class);
    send(client, data, 0, 10);
    assertThat(read(target, 10)).isEqualTo(first(10));
    proxy.heal();
    Socket old = client;
    Socket oldTarget = target;
    connect();
    send(client, data, 0, 10);
    assertThat(read(target, 10)).isEqualTo(first(10));
    old.close();
    oldTarget.close();
  }

  @Test
  void aRefusalForAWhileEndsByItself() throws Exception {
    start();
    long begin = System.nanoTime();
    proxy.refuse(PAUSE);
    client.close();
    target.close();
    await()
        .atMost(LONG)
        .ignoreExceptions()
        .until(() -> {
          connect();
          return true;
        });
    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(PAUSE.toNanos());
  }

  @Test
  void allAreCut() throws Exception {
    start();
    send(client, data, 0, 10);
    assertThat(read(target, 10)).isEqualTo(first(10));
    proxy.cutAll();
    assertThat(target.getInputStream().read()).isEqualTo(-1);
    assertThat(client.getInputStream().read()).isEqualTo(-1);
    client.close();
    target.close();
    await().atMost(LONG).until(() -> proxy.open() == 0);
  }

  @Test
  void allAreResetEvenInAPartition() throws Exception {
    start();
    proxy.partition();
    proxy.resetAll();
    assertReset(target);
    assertReset(client);
    assertThat(proxy.count(FaultKind.RESET)).isEqualTo(1);
    await().atMost(LONG).until(() -> proxy.open() == 0);
  }

  @Test
  void aScriptGivesEachConnectionItsFaults() throws Exception {
    proxy =
        FaultProxy.to(server.getLocalSocketAddress())
            .plan(
                FaultPlan.inTurn(
                    List.of(Fault.cut(Direction.TO_TARGET, 1)),
                    List.of(Fault.flip(Direction.TO_TARGET, 0, 0))))
            .start();
    for (byte[] expected :
        List.of(first(1), new byte[] {(byte) (data[0] ^ 1), data[1]}, first(2))) {
      connect();
      send(client, data, 0, 2);
      assertThat(read(target, expected.length)).isEqualTo(expected);
      client.close();
      target.close();
    }
    assertThat(proxy.accepted()).isEqualTo(3);
  }

  @Test
  void aTargetThatRefusesResetsTheClient() throws Exception {
    proxy = FaultProxy.to(server.getLocalSocketAddress()).start();
    server.close();
    try {
      client = dial();
      assertReset(client);
    } catch (SocketException e) {
      // The reset may come before connect has returned.
      assertThat(e).hasMessageContaining("reset");
    }
    assertThat(proxy.accepted()).isEqualTo(1);
    await().atMost(LONG).until(() -> proxy.open() == 0);
  }

  @Test
  void anotherTargetServesWhoComesLater() throws Exception {
    proxy = FaultProxy.to(server.getLocalSocketAddress()).start();
    server.close();
    server = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    server.setSoTimeout(PATIENCE_MILLIS);
    proxy.retarget(server.getLocalSocketAddress());
    connect();
    send(client, data, 0, 2);
    assertThat(read(target, 2)).isEqualTo(first(2));
  }

  @Test
  void closeEndsConnectionsThatWaitAndBytesThatNobodyReads() throws Exception {
    start(Fault.stall(Direction.TO_TARGET, 0, EVER));
    send(client, data, 0, 10);
    proxy.close();
    assertThat(client.isClosed()).isFalse();
    assertThat(proxy.open()).isZero();
  }

  @Test
  void randomFaultsComeAgainWithTheirSeed() throws Exception {
    FaultMix mix = FaultMix.of(FaultKind.values()).everyBytes(1000);
    FaultPlan plan = FaultPlan.random(42, mix);
    assertThat(plan.faults(3)).isNotEmpty().isEqualTo(FaultPlan.random(42, mix).faults(3));
    assertThat(plan.faults(3)).isNotEqualTo(plan.faults(4));
    assertThat(plan.faults(3)).isNotEqualTo(FaultPlan.random(43, mix).faults(3));
    proxy = FaultProxy.to(server.getLocalSocketAddress()).randomly(42, mix).start();
    assertThat(proxy.toString()).contains("seed=42", "everyBytes=1000");
  }

  @Test
  void randomHarmlessFaultsLoseNothing() throws Exception {
    proxy =
        FaultProxy.to(server.getLocalSocketAddress())
            .randomly(
                7,
                FaultMix.of(
                        FaultKind.STALL,
                        FaultKind.DELAY,
                        FaultKind.SPLIT,
                        FaultKind.THROTTLE,
                        FaultKind.PARTITION)
                    .everyBytes(10_000)
                    .longest(Duration.ofMillis(2)))
            .start();
    connect();
    Thread writer =
        new Thread(() -> {
          try {
            send(client, data, 0, data.length);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
    writer.start();
    assertThat(read(target, data.length)).isEqualTo(data);
    writer.join();
    assertThat(proxy.toString()).contains("done={");
  }

  @Test
  void faultsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> Fault.flip(Direction.TO_TARGET, 0, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("kind=FLIP")
        .hasMessageContaining("amount=8");
    assertThatThrownBy(() -> Fault.cut(Direction.TO_TARGET, -1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FaultMix.of()).isInstanceOf(IllegalArgumentException.class);
  }
}
