package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * No thread of a transport runs while nothing moves. That also holds after an array without
 * elements, after a peer has ended its direction, and while a peer does not read. It measures the
 * CPU time of its JVM, so nothing else may run there.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class IdleThreadsContract extends LoopbackContract {
  /** Of one processor. A thread that spins takes all of it, or its share on a busy machine. */
  private static final double MOST = 0.2;

  private static final long WINDOW_MILLIS = 500;
  private static final int WINDOWS = 10;

  /** For a thread that is known to spin: it spins in each. */
  private static final int WINDOWS_OF_ONE_THAT_SPINS = 2;

  /** For JUnit. */
  protected IdleThreadsContract() {}

  /** In one of a few windows at least, since compilers and collectors of the JVM run, too. */
  private static void assertIdle() throws InterruptedException {
    assertIdle(WINDOWS);
  }

  private static void assertIdle(int windows) throws InterruptedException {
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    List<Double> shares = new ArrayList<>();
    for (int i = 0; i < windows; i++) {
      long begin = System.nanoTime();
      long used = system.getProcessCpuTime();
      TimeUnit.MILLISECONDS.sleep(WINDOW_MILLIS); // What is measured.
      double share = (double) (system.getProcessCpuTime() - used) / (System.nanoTime() - begin);
      if (share < MOST) {
        return;
      }
      shares.add(share);
    }
    assertThat(shares).as("shares of a processor while nothing moves").isEmpty();
  }

  /** Whether a thread that does spin is seen; without that the others show nothing. */
  @Test
  void aThreadThatSpinsIsSeen() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    Running<Void> spins =
        Running.start(() -> {
          begun.countDown();
          while (over.getCount() > 0) {
            Thread.onSpinWait();
          }
          return null;
        });
    Eventually.until("it spins", begun);
    try {
      assertThat(Running.calling(() -> assertIdle(WINDOWS_OF_ONE_THAT_SPINS)).failure())
          .isInstanceOf(AssertionError.class);
    } finally {
      over.countDown();
    }
    spins.get();
  }

  @Test
  void anArrayWithoutElements() throws Exception {
    TransportStage.Ends ends = stage.ends();
    for (int i = 0; i < 100; i++) {
      ends.here().send(new float[0]);
      assertThat(ends.there().receive().count()).isZero();
    }
    assertIdle();
    ends.here().send(new float[1]);
    assertThat(ends.there().receive().count()).isOne();
  }

  /** In plain mode such a peer waits for its answer. */
  @Test
  void aPeerThatHasEndedItsDirection() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            answer.await();
            connection.send(array.ints());
          }
        };
    Listener listener =
        stage.transport(options -> options.plain(ElementType.INT)).listen(stage.address(), handler);
    RawPeer peer = stage.closing(RawPeer.connect(listener.address()));
    peer.send(new byte[] {0, 0, 0, 1, 0, 0, 0, 5});
    peer.shutdownOutput();
    assertIdle();
    answer.countDown();
    assertThat(peer.readUntilClosed()).containsExactly(0, 0, 0, 1, 0, 0, 0, 5);
  }

  @Test
  void aPeerThatDoesNotRead() throws Exception {
    Listener listener = stage.transport().listen(stage.address());
    RawPeer peer = stage.closing(RawPeer.connect(listener.address())).shakeHands();
    Connection connection = listener.accept();
    ArraySlice large = ArraySlice.of(new byte[1 << 20]);
    while (connection.offer(large, SendOptions.handedOff()) == OfferStatus.ACCEPTED) {
      // Until the socket and the queue are full.
    }
    assertIdle();
    assertThat(connection.isOpen()).isTrue();
    connection.closeNow();
    peer.readUntilClosed();
  }
}
