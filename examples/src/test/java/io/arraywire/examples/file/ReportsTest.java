package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReportsTest {
  private static final int WAITING = 1000;

  @Test
  void whatIsDroppedIsCounted() throws Exception {
    BlockingQueue<String> told = new LinkedBlockingQueue<>();
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    try (Reports reports = new Reports(count -> told.add(count + " more"))) {
      reports.tell(() -> {
        reached.countDown();
        try {
          goesOn.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        told.add("first");
      });
      reached.await();
      IntStream.range(0, WAITING + 5).forEach(i -> reports.tell(() -> told.add("later")));
      goesOn.countDown();
      assertThat(List.of(told.take(), told.take())).containsExactly("first", "5 more");
      for (int i = 0; i < WAITING; i++) {
        assertThat(told.take()).isEqualTo("later");
      }
    }
    assertThat(told).isEmpty();
  }
}
