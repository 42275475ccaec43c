package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WatchdogTest {
  private static final long PATIENCE_SECONDS = 60;

  @Test
  void whatMayTakeAnyTimeIsSaidAgainAfterTwiceAsLong() throws Exception {
    BlockingQueue<Duration> said = new ArrayBlockingQueue<>(100);
    try (SocketChannel channel = SocketChannel.open();
        Watchdog watchdog = new Watchdog(channel)) {
      watchdog.rest(Duration.ofMillis(2), said::offer);
      assertThat(said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Duration.ofMillis(2));
      assertThat(said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Duration.ofMillis(4));
      assertThat(said.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(Duration.ofMillis(8));
      assertThat(watchdog.failure()).isNull();
      assertThat(channel.isOpen()).isTrue();
    }
  }
}
