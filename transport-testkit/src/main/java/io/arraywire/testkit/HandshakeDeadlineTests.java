package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Peers that connect and say nothing, with the deadline that options have by default. */
interface HandshakeDeadlineTests {
  int SILENT = 50;

  TransportStage stage();

  /** Nightly, since it takes so long; others have a shorter deadline. */
  @Test
  @Tag("variant")
  default void handshakesThatDoNotBeginAreOverAfterTenSeconds() throws Exception {
    ClosedWatch watch = new ClosedWatch();
    Transport transport = stage().transport();
    Listener listener = transport.listen(stage().address(), watch);
    Connection friend = transport.connect(listener.address());
    long begin = System.nanoTime();
    for (int i = 0; i < SILENT; i++) {
      stage().closing(RawPeer.connect(listener.address()));
    }
    Duration connecting = Duration.ofNanos(System.nanoTime() - begin);
    Running<Long> sending =
        Running.start(() -> {
          long sent = 0;
          while (System.nanoTime() - begin < Duration.ofSeconds(9).toNanos()) {
            friend.send(ArraySlice.of(new int[10]), SendOptions.processed());
            sent++;
          }
          return sent;
        });
    for (int i = 0; i < SILENT; i++) {
      ArraywireException failure = watch.next();
      assertThat(failure)
          .matches(ErrorCode.HANDSHAKE_TIMEOUT::isOf)
          .hasMessageContaining("connectTimeout=PT10S");
      if (i == 0) {
        assertThat(System.nanoTime() - begin).isGreaterThan(Duration.ofSeconds(9).toNanos());
      }
    }
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isLessThan(Duration.ofSeconds(12).plus(connecting));
    assertThat(sending.get()).isPositive();
    assertThat(friend.isOpen()).isTrue();
  }
}
