package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.TransportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  @Test
  void theSystemAsksAPeerThatIsSilentAndNotAfterHoursOnly() throws IOException {
    try (SocketChannel channel =
        Channels.open(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1),
            TransportOptions.defaults())) {
      assertThat(channel.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
      long seconds = 0;
      for (var option : channel.supportedOptions()) {
        if (option.name().equals("TCP_KEEPIDLE")) {
          seconds = (Integer) channel.getOption(option);
        }
      }
      assertThat(seconds).isEqualTo(60);
    }
  }
}
