package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * How TCP finds its rate, by way of the C library; what it sets is asked for by way of the JDK's
 * own methods, too. From the packaged jar, since only there the classes of JDK 22 take the place of
 * the others.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
class NativeSocketIT {
  private static NativeSocket socket(SocketChannel channel) throws IOException {
    NativeSocket socket = NativeSocket.of(channel);
    assertThat(socket).isNotNull();
    return socket;
  }

  @Test
  void congestionControlIsTheKernels() throws Exception {
    try (ServerSocketChannel listening =
            ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        SocketChannel channel = SocketChannel.open(listening.getLocalAddress())) {
      NativeSocket socket = socket(channel);
      assertThat(socket.name())
          .isEqualTo(
              Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip());
      socket.change("reno");
      assertThat(socket.name()).isEqualTo("reno");
      OpenedJdk asTheJdkSeesIt = OpenedJdk.of(channel);
      assertThat(asTheJdkSeesIt).isNotNull();
      assertThat(asTheJdkSeesIt.name()).isEqualTo("reno");
    }
  }

  @Test
  void aNameThatTheKernelDoesNotKnowIsRefused() throws Exception {
    try (SocketChannel channel = SocketChannel.open()) {
      NativeSocket socket = socket(channel);
      assertThatThrownBy(() -> socket.change("no-such-thing"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("name=no-such-thing");
    }
  }

  @Test
  void aUnixDomainSocketHasNone() throws Exception {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      assertThat(socket(channel).name()).isEmpty();
    }
  }

  @Test
  void aClosedChannelIsNotAsked() throws Exception {
    SocketChannel channel = SocketChannel.open();
    NativeSocket socket = socket(channel);
    channel.close();
    assertThatThrownBy(socket::name).isInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> socket.change("reno")).isInstanceOf(ClosedChannelException.class);
  }
}
