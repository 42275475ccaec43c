package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  @Test
  void theSystemAsksAPeerThatIsSilentAndNotAfterHoursOnly() throws IOException {
    try (ServerSocketChannel server =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel peer = SocketChannel.open(server.getLocalAddress());
        SocketChannel accepted = server.accept()) {
      var unused = ChannelSocket.acceptedTcp(accepted);
      assertThat(accepted.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
      assertThat(peer.getOption(StandardSocketOptions.SO_KEEPALIVE)).isFalse();
      long seconds = 0;
      for (var option : accepted.supportedOptions()) {
        if (option.name().equals("TCP_KEEPIDLE")) {
          seconds = (Integer) accepted.getOption(option);
        }
      }
      assertThat(seconds).isEqualTo(60);
    }
  }
}
