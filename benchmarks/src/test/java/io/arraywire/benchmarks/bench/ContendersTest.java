package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every contender moves every bit, or what it says it does, at sizes that no buffer is a multiple
 * of.
 */
@Tag("contenders")
class ContendersTest {
  private static final int[] COUNTS = {1, 16, 16_381, 65_535, 300_001};
  private static final int STREAMED = 1000;
  private static final int UNSERVED_MILLIS = 50;

  static java.util.List<String> names() {
    return Contenders.all().stream()
        .filter(each -> each.unavailable() == null)
        .map(Contender::name)
        // A system call for each element: not for this many, but in the JDK's own way.
        .filter(name -> !name.endsWith("-data-output") || name.equals("jdk-data-output"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("names")
  void arraysArriveBitByBit(String name) throws Exception {
    Contender contender = Contenders.named(name);
    float[] source = Elements.random(300_001);
    float[] target = new float[source.length];
    try (Contender.Receiver receiver = contender.listen(target);
        Contender.Sender sender = contender.connect(receiver.port(), source)) {
      for (int count : COUNTS) {
        Elements.spoil(target);
        CompletableFuture<Void> served = serve(receiver, count, 2);
        sender.send(count);
        sender.send(count);
        served.get(60, TimeUnit.SECONDS);
        assertArrived(contender, source, target, count);
      }
      Elements.spoil(target);
      AtomicInteger asked = new AtomicInteger();
      CompletableFuture<Void> served = serve(receiver, 16, Integer.MAX_VALUE);
      long sent = sender.stream(16, 64, () -> asked.incrementAndGet() <= STREAMED);
      assertThat(sent).isGreaterThanOrEqualTo(STREAMED);
      assertThat(served).isNotDone();
      total = sent + 1;
      sender.send(16);
      served.get(60, TimeUnit.SECONDS);
      assertThat(taken).isEqualTo(sent + 1);
      assertArrived(contender, source, target, 16);
    }
  }

  private static void assertArrived(
      Contender contender, float[] source, float[] target, int count) {
    Rounding rounding = contender.rounding();
    if (rounding == null) {
      assertThat(checksum(contender, target, count)).isEqualTo(checksum(contender, source, count));
      return;
    }
    assertThat(rounding.firstWrong(source, target, count)).isEqualTo(-1);
    if (count > 1) {
      assertThat(checksum(contender, target, count))
          .as("%s says that it loses bits", contender.label())
          .isNotEqualTo(checksum(contender, source, count));
    }
  }

  /** The one that sends is asked in another process, and may be quicker. */
  @ParameterizedTest
  @MethodSource("names")
  void whatComesBeforeAnybodyServesIsNeitherAcknowledgedNorLost(String name) throws Exception {
    Contender contender = Contenders.named(name);
    float[] source = Elements.random(16);
    float[] target = new float[source.length];
    try (Contender.Receiver receiver = contender.listen(target);
        Contender.Sender sender = contender.connect(receiver.port(), source)) {
      for (int i = 0; i < 2; i++) {
        CompletableFuture<Void> sent = beside(() -> sender.send(16));
        assertThatThrownBy(() -> sent.get(UNSERVED_MILLIS, TimeUnit.MILLISECONDS))
            .isInstanceOf(TimeoutException.class);
        serve(receiver, 16, 1).get(60, TimeUnit.SECONDS);
        sent.get(60, TimeUnit.SECONDS);
        assertThat(taken).isOne();
      }
    }
  }

  private static String checksum(Contender contender, float[] elements, int count) {
    return Elements.checksum(elements, count, contender.keepsNans());
  }

  private volatile long total;
  private volatile long taken;

  private CompletableFuture<Void> serve(Contender.Receiver receiver, int count, int arrays) {
    total = arrays;
    taken = 0;
    return beside(() ->
        receiver.serve(
            count,
            more -> {
              taken += more;
              return taken < total;
            }));
  }

  private interface Work {
    void run() throws Exception;
  }

  private static CompletableFuture<Void> beside(Work work) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                work.run();
                done.complete(null);
              } catch (Exception e) {
                done.completeExceptionally(e);
                // The other end may wait until the test's time is up.
                e.printStackTrace();
              }
            })
        .start();
    return done;
  }
}
