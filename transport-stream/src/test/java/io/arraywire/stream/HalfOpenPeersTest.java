package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.Transport;
import io.arraywire.stream.Fixture.Kind;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that connect and do not finish their handshake: what each of them costs in threads. */
class HalfOpenPeersTest {
  private static final int PEERS = 50;

  /** The first half of a preamble of version 2. */
  private static final byte[] HALF = {(byte) 0xf1, 0x41, 0x57, 0x48, 2, 2, 0, 0, 9, 0, 0, 0};

  /** Platform threads that are counted when they start. */
  private static final class Counted implements Threads {
    private final Queue<String> started = new ConcurrentLinkedQueue<>();

    @Override
    public Thread unstarted(String name, Runnable task) {
      Thread thread =
          new Thread(task, name) {
            @Override
            public void start() {
              started.add(getName());
              super.start();
            }
          };
      thread.setDaemon(true);
      return thread;
    }

    long of(String kind) {
      return started.stream().filter(name -> name.startsWith("arraywire-stream-" + kind)).count();
    }
  }

  private static SocketChannel peer(SocketAddress address, byte... says) throws IOException {
    SocketChannel peer = SocketChannel.open(address);
    ByteBuffer left = ByteBuffer.wrap(says);
    while (left.hasRemaining()) {
      peer.write(left);
    }
    return peer;
  }

  @ParameterizedTest
  @EnumSource(names = {"TCP_PLATFORM_THREADS", "UNIX_PLATFORM_THREADS"})
  void eachCostsOneThread(Kind kind) throws Exception {
    Counted threads = new Counted();
    try (Fixture fixture = new Fixture(kind)) {
      Transport transport = fixture.transport(o -> o, Sockets.system(), threads);
      List<SocketChannel> peers = new ArrayList<>();
      try (Listener listener = transport.listen(fixture.anyAddress())) {
        for (int i = 0; i < PEERS; i++) {
          peers.add(i % 2 == 0 ? peer(listener.address()) : peer(listener.address(), HALF));
        }
        // Peers are accepted in the order in which they come.
        Connection friend = fixture.transport().connect(listener.address());
        Connection accepted = listener.accept();
        friend.send(new int[] {5});
        assertThat(accepted.receive().ints()).containsExactly(5);
        accepted.send(new int[] {6});
        assertThat(friend.receive().ints()).containsExactly(6);
        assertThat(threads.of("read")).isEqualTo(PEERS + 1);
        assertThat(threads.of("write")).as("the friend's, which has had an answer").isOne();
      } finally {
        for (SocketChannel each : peers) {
          each.close();
        }
      }
      // Those that were never started have left nothing.
      fixture.awaitIdle();
    }
  }

  /** One that ends its output in plain mode at once still gets what is sent to it. */
  @Test
  void aPeerThatSaysNothingIsStillWrittenTo() throws Exception {
    Counted threads = new Counted();
    try (Fixture fixture = new Fixture(Kind.TCP_PLATFORM_THREADS)) {
      Transport plain = fixture.transport(o -> o.plain(ElementType.INT), Sockets.system(), threads);
      try (Listener listener = plain.listen(fixture.anyAddress());
          SocketChannel peer = peer(listener.address())) {
        Connection accepted = listener.accept();
        peer.shutdownOutput();
        accepted.send(new int[] {7});
        ByteBuffer answer = ByteBuffer.allocate(8);
        while (answer.hasRemaining() && peer.read(answer) >= 0) {}
        assertThat(answer.array()).containsExactly(0, 0, 0, 1, 0, 0, 0, 7);
      }
      fixture.awaitIdle();
    }
  }

  /** No thread is left when the first word is to be said: the peer is let go, and that is told. */
  @Test
  void aPeerForWhichThereIsNoSecondThreadIsLetGo() throws Exception {
    BlockingQueue<ArraywireException> ends = new LinkedBlockingQueue<>();
    BlockingQueue<int[]> came = new LinkedBlockingQueue<>();
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            came.add(array.ints());
          }

          @Override
          public void onClosed(Connection connection, @Nullable ArraywireException cause) {
            if (cause != null) {
              ends.add(cause);
            }
          }
        };
    try (Fixture fixture = new Fixture(Kind.TCP_PLATFORM_THREADS)) {
      ScarceThreads scarce = new ScarceThreads(1);
      Transport poor = fixture.transport(o -> o, Sockets.system(), scarce);
      try (Listener listener = poor.listen(fixture.anyAddress(), handler)) {
        assertThatThrownBy(() -> fixture.transport().connect(listener.address()))
            .isInstanceOf(ArraywireException.class);
        assertThat(ends.poll(1, TimeUnit.MINUTES))
            .matches(ErrorCode.ALLOCATION_FAILED::isOf)
            .hasMessageContainingAll(
                "no thread could be started for a connection", "no more threads");
        fixture.awaitIdle();
        scarce.more(2);
        fixture.transport().connect(listener.address()).send(new int[] {5});
        assertThat(came.poll(1, TimeUnit.MINUTES)).containsExactly(5);
      }
    }
  }
}
