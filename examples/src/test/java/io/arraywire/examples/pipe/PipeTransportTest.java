package io.arraywire.examples.pipe;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.BindFailedException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.LocalTransportContract;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
@Tag("newest")
class PipeTransportTest extends LocalTransportContract {
  private static final AtomicLong NAMES = new AtomicLong();

  static SocketAddress free() {
    return PipeTransport.address("test-" + NAMES.incrementAndGet());
  }

  @Override
  protected Transport create(TransportOptions options) {
    return PipeTransport.create(options);
  }

  @Override
  protected SocketAddress address() {
    return free();
  }

  @Test
  void whyAnAddressCannotBeHadIsSaidInWords() throws Exception {
    Transport transport = stage().transport();
    SocketAddress address = transport.listen(free()).address();
    assertThatThrownBy(() -> transport.listen(address))
        .isInstanceOf(BindFailedException.class)
        .hasMessageContaining("somebody listens at the address")
        .hasMessageContaining(address.toString());
    assertThatThrownBy(() -> transport.connect(PipeTransport.address("nobody")))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageContaining("nobody listens at the address")
        .hasMessageContaining("pipe:nobody");
    assertThatThrownBy(() -> transport.connect(new InetSocketAddress("localhost", 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("transport=pipe")
        .hasMessageContaining("types=[PipeAddress]");
  }
}
