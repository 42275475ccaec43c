package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Opening the alert with which TLS 1.2 ends one direction would end the other one, too. So the
 * alert is kept closed until that other one is over, for ten seconds at most. The connection learns
 * at once that nothing more comes.
 */
@Tag("ciphers")
class OldTlsEndTest {

  /** A heartbeat would find out within five seconds, so there is none here. */
  @Test
  void aConnectionThatWasGivenUpIsFoundLostAtOnce() throws Exception {
    TransportOptions options =
        TransportOptions.builder()
            .tls(TestTls.old())
            .heartbeatInterval(Duration.ofHours(1))
            .heartbeatTimeout(Duration.ofHours(3))
            .build();
    CompletableFuture<@Nullable ArraywireException> end = new CompletableFuture<>();
    ArrayHandler watch =
        new ArrayHandler() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {}

          @Override
          public void onClosed(Connection connection, @Nullable ArraywireException cause) {
            end.complete(cause);
          }
        };
    try (Transport transport = InMemoryTransport.create(options);
        Listener listener = transport.listen(MemoryAddress.free(), watch)) {
      Connection connection = transport.connect(listener.address());
      connection.send(new int[1], SendOptions.processed());
      connection.closeNow();
      assertThat(end.get(5, TimeUnit.SECONDS)).isNotNull();
    }
  }
}
