package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Handlers;
import io.arraywire.HandshakeException;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClientBuilderTest {
  private static final Handlers NONE = Handlers.ofArrays((connection, array) -> {});

  @Test
  void misuseIsNamed() {
    try (Transport transport = InMemoryTransport.create(TransportOptions.defaults())) {
      assertThatThrownBy(() -> ArraywireClient.over(transport).build())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a client needs an address");
      assertThatThrownBy(() -> ArraywireClient.over(transport, "nonsense"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("address=nonsense");
      assertThatThrownBy(() -> ArraywireClient.over(transport, "a:1", "a:1"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("address=a:1");
      ClientBuilder builder = ArraywireClient.over(transport, "a:1");
      assertThatThrownBy(() -> builder.connectionsPerAddress(65))
          .hasMessageContaining("connectionsPerAddress=65, least=1, most=64");
      assertThatThrownBy(() -> builder.probePause(Duration.ofMillis(9)))
          .hasMessageContaining("probePause=PT0.009S, least=PT0.01S");
      assertThatThrownBy(() -> builder.probeTime(Duration.ofMillis(-1)))
          .hasMessageContaining("probeTime=");
      assertThatThrownBy(() -> builder.longestPause(Duration.ZERO))
          .hasMessageContaining("longestPause=PT0S");
    }
  }

  /** Waiting would not cure it. */
  @Test
  void aClientThatIsRefusedForGoodFailsAtOnce() throws Exception {
    TransportOptions secret = TransportOptions.builder().authToken(new byte[] {1, 2}).build();
    MemoryAddress address = MemoryAddress.free();
    try (Transport guarded = InMemoryTransport.create(secret);
        Listener listener = guarded.listen(address, NONE);
        Transport stranger = InMemoryTransport.create(TransportOptions.defaults());
        ArraywireClient client = ArraywireClient.over(stranger).address(address).build()) {
      assertThatThrownBy(() -> client.call(new int[1], Duration.ofHours(1)))
          .isInstanceOf(HandshakeException.class);
      assertThat(listener.address()).isEqualTo(address);
    }
  }
}
