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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Connections are closed in the middle of arrays that go from heap to kernel by descriptor, from
 * every thread that may, while others open sockets that get the same descriptors.
 */
@Timeout(600)
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
class CloseAgainstTransferIT {
  private static final int ROUNDS = 400;
  private static final int ELEMENTS = 1 << 18;
  private static final int LONGEST_NANOS = 3_000_000;

  /** On a machine that has a lot else to do. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** How much of a stack is told. */
  private static final int DEPTH = 12;

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
        TransportOptions.builder()
            .memoryPool(pool)
            .connectTimeout(PATIENCE)
            .closeTimeout(PATIENCE.dividedBy(2))
            .build();
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
      Transfers receiver = Transfers.begin("receiver", receiving(there));
      List<Transfers> all = new ArrayList<>();
      all.add(receiver);
      all.add(Transfers.begin("sender", sending(here)));
      if (bothWays) {
        all.add(Transfers.begin("second sender", sending(there)));
        all.add(Transfers.begin("second receiver", receiving(here)));
      }
      if (numbers.between(0, 1) == 0) {
        // However slow the machine is, something has moved by then.
        await("the first array", receiver.first);
      }
      LockSupport.parkNanos(numbers.between(0, LONGEST_NANOS));
      List<Runnable> ends = List.of(here::closeNow, there::closeNow, transport::close);
      Runnable otherEnd = ends.get(numbers.between(0, ends.size() - 1));
      CompletableFuture<?> other =
          CompletableFuture.runAsync(otherEnd, end -> new Thread(end, "other end").start());
      ends.get(numbers.between(0, ends.size() - 1)).run();
      await("the other end", other);
      int moved = 0;
      for (Transfers each : all) {
        moved += await(each.name, each.count);
      }
      return moved > 0;
    }
  }

  /** What hangs here does so once in a long while: then everything there is to know is told. */
  private static <T> T await(String who, CompletableFuture<T> result) throws Exception {
    try {
      return result.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new AssertionError(who + " hangs; threads:\n" + stacks(), e);
    }
  }

  private static String stacks() {
    StringBuilder all = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach((thread, stack) -> {
          if (Stream.of(stack).anyMatch(each -> each.getClassName().startsWith("io.arraywire"))) {
            all.append(thread.getName()).append(", ").append(thread.getState()).append('\n');
            Stream.of(stack)
                .limit(DEPTH)
                .forEach(each -> all.append("  ").append(each).append('\n'));
          }
        });
    return all.toString();
  }

  private static Callable<Object> sending(Connection connection) {
    ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
    return () -> connection.send(array, SendOptions.processed());
  }

  private static Callable<Object> receiving(Connection connection) {
    ArraySlice array = ArraySlice.of(new float[ELEMENTS]);
    return () -> connection.receiveInto(array);
  }

  /** Goes on until that fails with an exception of the library's; counts how often it did not. */
  private static final class Transfers {
    final String name;
    final CompletableFuture<Void> first = new CompletableFuture<>();
    final CompletableFuture<Integer> count = new CompletableFuture<>();

    private Transfers(String name) {
      this.name = name;
    }

    static Transfers begin(String name, Callable<Object> one) {
      Transfers transfers = new Transfers(name);
      new Thread(() -> transfers.goOn(one), name).start();
      return transfers;
    }

    private void goOn(Callable<Object> one) {
      int done = 0;
      try {
        for (; ; done++) {
          one.call();
          first.complete(null);
        }
      } catch (ArraywireException e) {
        count.complete(done);
      } catch (Throwable e) {
        count.completeExceptionally(e);
      }
    }
  }
}
