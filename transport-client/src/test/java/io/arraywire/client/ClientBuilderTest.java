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
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;
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

  /** Hosts look a name up differently, and all clients agree on the address of a key. */
  @Test
  void anAddressIsKnownByItsNameAndNotByWhatItStandsFor() throws Exception {
    InetAddress one = InetAddress.getByAddress("db", new byte[] {10, 0, 0, 5});
    InetAddress other = InetAddress.getByAddress("db", new byte[] {127, 0, 1, 1});
    InetAddress bare = InetAddress.getByAddress(new byte[] {10, 0, 0, 5});
    try (Transport transport = InMemoryTransport.create(TransportOptions.defaults())) {
      for (InetSocketAddress each :
          List.of(
              new InetSocketAddress(one, 4711),
              new InetSocketAddress(other, 4711),
              InetSocketAddress.createUnresolved("db", 4711))) {
        ClientBuilder builder = ArraywireClient.over(transport).address(each);
        assertThat(builder.build().status().addresses().get(0).address()).isEqualTo("db:4711");
        assertThatThrownBy(() -> builder.address(new InetSocketAddress(other, 4711)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("address=db:4711");
      }
      ClientBuilder builder =
          ArraywireClient.over(transport)
              .address(new InetSocketAddress(bare, 1))
              .address(new InetSocketAddress("::1", 2))
              .address(UnixDomainSocketAddress.of("/tmp/a"));
      assertThat(builder.build().status().addresses())
          .extracting(AddressStatus::address)
          .containsExactly("10.0.0.5:1", "[0:0:0:0:0:0:0:1]:2", "unix:/tmp/a");
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
