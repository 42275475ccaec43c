package io.arraywire.examples.kafka;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.nio.NioTransport;
import org.junit.jupiter.api.Test;

/** A sink whose brokers do not answer: what it refuses before it asks them. */
class KafkaSinkTest {
  private static final SendOptions PROCESSED = SendOptions.defaults().delivery(Delivery.PROCESSED);

  @Test
  void anArrayThatTheEncodingDoesNotHaveIsRefusedWithTheReason() throws Exception {
    try (KafkaSink sink = new KafkaSink("localhost:1", "none", "arrays", "bf16");
        Listener listener = NioTransport.listen("localhost:0", Handlers.ofArrays(sink));
        Connection client = NioTransport.connect(listener.address())) {
      assertThatExceptionOfType(RemoteRejectedException.class)
          .isThrownBy(() -> client.send(new int[] {1, 2, 3}, PROCESSED))
          .withMessageContaining("the array cannot be a record in this encoding")
          .withMessageContaining("encoding=bf16, type=int");
    }
  }
}
