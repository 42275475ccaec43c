package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.arraywire.Listener;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers come faster than their connections are made: what else a loop has to do has turns. */
class NewPeersTest {
  /** More than may wait for their loops. */
  private static final int FLOOD = 400;

  /** As long as a turn of new peers, so each has one of its own, or two of them. */
  private static final long NANOS_OF_EACH = NewPeers.TURN_NANOS;

  private static final int MOST_IN_A_TURN = 2;

  private final List<Socket> flood = new ArrayList<>();
  private final List<Turns> loops = new ArrayList<>();
  private final AtomicInteger made = new AtomicInteger();
  private @Nullable SelectorTransport opened;

  /** Counts the turns of an event loop, and the connections that it makes in one of them. */
  private static final class Turns extends LoopWork {
    private final EventLoop loop;
    private final CountDownLatch begun = new CountDownLatch(1);
    private int inThisTurn;
    private volatile int mostInATurn;
    private volatile boolean over;

    Turns(EventLoop loop) {
      this.loop = loop;
    }

    @Override
    void work(int what) {
      begun.countDown();
      inThisTurn = 0;
      if (!over) {
        loop.ask(this, 1);
      }
    }

    void made() {
      inThisTurn++;
      mostInATurn = Math.max(mostInATurn, inThisTurn);
    }
  }

  @AfterEach
  void nothingStaysOpen() throws IOException {
    for (Socket each : flood) {
      each.close();
    }
    loops.forEach(each -> each.over = true);
    if (opened != null) {
      opened.close();
    }
  }

  private SelectorTransport transport(int eventLoops) {
    TransportOptions options = TransportOptions.builder().acceptLimits(AcceptLimits.none()).build();
    opened =
        new SelectorTransport(
            options, NioOptions.builder().eventLoops(eventLoops).build(), this::make);
    return opened;
  }

  /** It takes long to make a connection. */
  private SocketIo make(SocketChannel channel) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < NANOS_OF_EACH) {
      Thread.onSpinWait();
    }
    loops.stream().filter(each -> each.loop.inLoop()).forEach(Turns::made);
    made.incrementAndGet();
    return SocketIo.of(channel);
  }

  private void flood(Listener listener) throws IOException {
    InetSocketAddress address = (InetSocketAddress) listener.address();
    for (int i = 0; i < FLOOD; i++) {
      flood.add(new Socket(address.getAddress(), address.getPort()));
    }
  }

  private static Listener listener(SelectorTransport transport) throws Exception {
    return transport.listen(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), (from, array) -> {});
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whatElseALoopHasToDoHasItsTurnsBetweenThem(int eventLoops) throws Exception {
    SelectorTransport transport = transport(eventLoops);
    for (int i = 0; i < eventLoops; i++) {
      Turns turns = new Turns(transport.anyLoop());
      loops.add(turns);
      turns.loop.ask(turns, 1);
      assertThat(turns.begun.await(60, TimeUnit.SECONDS)).isTrue();
    }
    flood(listener(transport));
    await().atMost(Duration.ofSeconds(60)).until(() -> made.get() == FLOOD);
    assertThat(loops).allSatisfy(each -> assertThat(each.mostInATurn).isBetween(1, MOST_IN_A_TURN));
  }

  @Test
  void thoseThatWaitAreClosedWithTheTransport() throws Exception {
    SelectorTransport transport = transport(2);
    flood(listener(transport));
    transport.close();
    assertThat(made.get()).as("made before the end").isLessThan(FLOOD);
    for (Socket each : flood) {
      each.setSoTimeout((int) TimeUnit.SECONDS.toMillis(20));
      assertThat(isAtItsEnd(each)).isTrue();
    }
  }

  private static boolean isAtItsEnd(Socket peer) throws IOException {
    try {
      return peer.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }
}
