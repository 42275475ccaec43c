package io.arraywire.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Listener;
import io.arraywire.TransportOptions;
import io.arraywire.stream.Fixture.Kind;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The sizes of the sockets' buffers. Linux says twice of what it was asked for. */
class SocketBuffersTest {
  private static final TransportOptions OPTIONS =
      TransportOptions.builder().sendBufferBytes(20_000).receiveBufferBytes(30_000).build();

  @Test
  void aTcpSocketHasThoseAskedFor() throws Exception {
    try (SocketChannel channel = SocketChannel.open()) {
      ChannelSocket.acceptedTcp(channel).setBuffers(OPTIONS);
      assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF)).isBetween(20_000, 40_000);
      assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF)).isBetween(30_000, 60_000);
    }
  }

  @Test
  void aUnixDomainSocketHasThoseAskedFor() throws Exception {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      ChannelSocket.unix(channel).setBuffers(OPTIONS);
      assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF)).isBetween(20_000, 40_000);
      assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF)).isBetween(30_000, 60_000);
    }
  }

  @Test
  void otherwiseTheSystemChooses() throws Exception {
    try (SocketChannel untouched = SocketChannel.open();
        SocketChannel channel = SocketChannel.open()) {
      ChannelSocket.acceptedTcp(channel).setBuffers(TransportOptions.defaults());
      assertThat(channel.getOption(StandardSocketOptions.SO_SNDBUF))
          .isEqualTo(untouched.getOption(StandardSocketOptions.SO_SNDBUF));
      assertThat(channel.getOption(StandardSocketOptions.SO_RCVBUF))
          .isEqualTo(untouched.getOption(StandardSocketOptions.SO_RCVBUF));
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothSidesAsk(Kind kind) throws Exception {
    UnkindSockets sockets = new UnkindSockets(Integer.MAX_VALUE);
    try (Fixture fixture = new Fixture(kind)) {
      var transport = fixture.transport(options -> options, sockets, kind.threads());
      try (Listener listener = transport.listen(fixture.anyAddress())) {
        transport.connect(listener.address());
        listener.accept();
      }
    }
    assertThat(sockets.withBuffers.get()).isEqualTo(2);
  }
}
