package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.testkit.SeededArrays;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Connections are closed in the middle of arrays that go from heap to kernel by descriptor, from
 * every thread that may, while others open sockets that get the same descriptors.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
class CloseAgainstTransferIT {
  private static final int ROUNDS = 400;
  private static final int ELEMENTS = 1 << 18;
  private static final int LONGEST_NANOS = 3_000_000;

  @Test
  void noDescriptorIsUsedAfterItsClose() throws Exception {
    SeededArrays.check(numbers -> {
      int moved = 0;
      try (TrackingMemoryPool pool = TrackingMemoryPool.around(new NettyMemoryPool());
          SocketCanary canary = new SocketCanary()) {
        for (int round = 0; round < ROUNDS; round++) {
          moved += round(pool, numbers) ? 1 : 0;
        }
        assertThat(canary.sung()).as("sockets opened meanwhile").isGreaterThan(ROUNDS);
      }
      // Else nothing was in the middle of anything.
      assertThat(moved).as("rounds in which arrays had moved").isGreaterThan(ROUNDS / 4);
    });
  }

  /** Returns whether anything had moved when it was closed. */
  private static boolean round(TrackingMemoryPool pool, SeededArrays numbers) throws Exception {
    TransportOptions options =
        TransportOptions.builder().memoryPool(pool).closeTimeout(Duration.ofSeconds(30)).build();
    try (SelectorTransport transport =
            new SelectorTransport(
                options,
                NioOptions.builder().eventLoops(numbers.between(1, 2)).build(),
                channel -> new ChannelIo(channel, 1));
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      Connection here = transport.connect(listener.address());
      Connection there = listener.accept();
      assertThat(here.describe()).contains("without staging");
      boolean bothWays = numbers.between(0, 1) == 0;
      CompletableFuture<Integer> sender = transfers(sending(here));
      CompletableFuture<Integer> receiver = transfers(receiving(there));
      CompletableFuture<Integer> second = bothWays ? transfers(sending(there)) : sender;
      CompletableFuture<Integer> third = bothWays ? transfers(receiving(here)) : receiver;
      LockSupport.parkNanos(numbers.between(0, LONGEST_NANOS));
      List<Runnable> ends = List.of(here::closeNow, there::closeNow, transport::close);
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(ends.get(numbers.between(0, ends.size() - 1)));
      ends.get(numbers.between(0, ends.size() - 1)).run();
      other.get(60, TimeUnit.SECONDS);
      int all = sender.get(60, TimeUnit.SECONDS) + receiver.get(60, TimeUnit.SECONDS);
      return all + second.get(60, TimeUnit.SECONDS) + third.get(60, TimeUnit.SECONDS) > 0;
    }
  }

  private static Callable<Object> sending(Connection connection) {
    ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
    return () -> connection.send(array, SendOptions.processed());
  }

  private static Callable<Object> receiving(Connection connection) {
    ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
    return () -> connection.receiveInto(array);
  }

  /** Goes on until that fails with an exception of the library's; returns how often it did not. */
  private static CompletableFuture<Integer> transfers(Callable<Object> one) {
    CompletableFuture<Integer> count = new CompletableFuture<>();
    new Thread(
            () -> {
              int done = 0;
              try {
                for (; ; done++) {
                  one.call();
                }
              } catch (ArraywireException e) {
                count.complete(done);
              } catch (Throwable e) {
                count.completeExceptionally(e);
              }
            })
        .start();
    return count;
  }
}
