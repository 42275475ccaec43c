package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ConnectionClosedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AcceptQueueTest {
  @Test
  void anAcceptThatNobodyConnectsToIsSpokenOfAndGoesOn() throws Exception {
    // Nothing but the message asks for the address.
    CompletableFuture<Boolean> said = new CompletableFuture<>();
    AcceptQueue queue =
        new AcceptQueue(
            () -> {
              said.complete(true);
              return "here";
            },
            Duration.ofMillis(1));
    CompletableFuture<?> accepting =
        CompletableFuture.runAsync(() ->
            assertThatThrownBy(() -> queue.take(Duration.ofHours(1)))
                .isInstanceOf(ConnectionClosedException.class));
    assertThat(said.get(60, TimeUnit.SECONDS)).isTrue();
    assertThat(accepting).isNotDone();
    queue.close();
    accepting.get(60, TimeUnit.SECONDS);
  }
}
