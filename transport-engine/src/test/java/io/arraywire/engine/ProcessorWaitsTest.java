package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorWaitsTest {
  private static final Path OF_SYSTEM = Path.of("/proc/thread-self/schedstat");

  @TempDir Path directory;

  private static long second(String line) throws IOException {
    byte[] bytes = line.getBytes(StandardCharsets.US_ASCII);
    return ProcessorWaits.second(bytes, bytes.length);
  }

  @Test
  void theSecondNumberIsTheTimeWithoutAProcessor() throws Exception {
    assertThat(second("79340 6234567890123 17\n")).isEqualTo(6_234_567_890_123L);
    assertThat(second("0 0 0\n")).isZero();
    assertThatThrownBy(() -> second("79340")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> second("")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> second("one two")).isInstanceOf(IOException.class);
  }

  @Test
  void eachTimeItTellsWhatWasLostSince() throws Exception {
    Path file = Files.writeString(directory.resolve("schedstat"), "1 100 1\n");
    ProcessorWaits waits = new ProcessorWaits(file.toString());
    try {
      // Nobody knows when the first 100 were lost.
      assertThat(waits.count()).isZero();
      Files.writeString(file, "2 350 2\n");
      assertThat(waits.count()).isEqualTo(250);
      assertThat(waits.count()).isZero();
      Files.writeString(file, "2 450 3\n");
      // Calls begin later than that was counted.
      waits.refresh(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(2));
      Files.writeString(file, "2 451 3\n");
      assertThat(waits.count()).isEqualTo(1);
    } finally {
      waits.close();
    }
  }

  @Test
  void withoutAFileNothingIsKnown() {
    ProcessorWaits waits = new ProcessorWaits(directory.resolve("none").toString());
    assertThat(waits.count()).isZero();
    waits.refresh(System.nanoTime());
    assertThat(waits.count()).isZero();
  }

  @Test
  void aThreadThatHasNotBegunLosesNothing() {
    ProcessorWaits.callsBegin(System.nanoTime());
    assertThat(ProcessorWaits.lost()).isZero();
    ProcessorWaits.end();
    assertThat(ProcessorWaits.lost()).isZero();
  }

  /** More threads than processors lose some of them. */
  @Test
  void linuxCounts() throws Exception {
    assumeTrue(Files.isReadable(OF_SYSTEM));
    List<Thread> others = new ArrayList<>();
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      Thread other =
          new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
              Thread.onSpinWait();
            }
          });
      other.setDaemon(true);
      other.start();
      others.add(other);
    }
    ProcessorWaits.begin();
    try {
      assertThat(ProcessorWaits.lost()).isZero();
      long began = System.nanoTime();
      long lost = 0;
      while (lost == 0) {
        assertThat(System.nanoTime() - began).isLessThan(TimeUnit.SECONDS.toNanos(60));
        lost += ProcessorWaits.lost();
      }
      assertThat(lost).isLessThanOrEqualTo(System.nanoTime() - began);
    } finally {
      ProcessorWaits.end();
      others.forEach(Thread::interrupt);
    }
    assertThat(ProcessorWaits.lost()).isZero();
  }
}
