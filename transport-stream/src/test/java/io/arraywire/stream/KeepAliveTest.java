package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class KeepAliveTest {
  @Test
  void theSystemAsksAPeerThatIsSilentAndNotAfterHoursOnly() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket peer = new Socket(server.getInetAddress(), server.getLocalPort());
        Socket accepted = server.accept()) {
      var unused = TcpSocket.accepted(accepted);
      assertThat(accepted.getKeepAlive()).isTrue();
      assertThat(peer.getKeepAlive()).isFalse();
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
