package io.arraywire.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Subscription;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Replays of a topic whose brokers do not answer, so that each stays where it begins. */
class KafkaReplayTest {
  private static final Message MINE = Message.of(new int[1]).attribute("subject", "mine");

  /** Each has a thread and a consumer, and both would go into one subscription. */
  @Test
  void aSubjectOfAConnectionHasOneReplay() throws Exception {
    KafkaReplay replay = new KafkaReplay("localhost:1", "none", 1 << 20, words -> {});
    try (Listener listener = NioTransport.listen("localhost:0", Handlers.ofRequests(replay));
        Connection client = NioTransport.connect(listener.address())) {
      Subscription mine = client.subscribe("mine");
      var first = client.request(MINE);
      await().until(() -> replay.replays() == 1);
      assertThatExceptionOfType(RemoteRejectedException.class)
          .isThrownBy(() -> client.channel(1).call(MINE, Duration.ofSeconds(20)))
          .withMessageContaining("two would be mixed up")
          .withMessageContaining("subject=mine");
      assertThat(first).isNotDone();
      replay.close();
      await().until(() -> replay.replays() == 0);
      await().until(first::isCompletedExceptionally);
      mine.close();
    }
  }
}
