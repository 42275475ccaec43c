package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PacingTest {
  private static final class Socket implements CongestionControl {
    private String name;
    private final boolean refuses;

    Socket(String name, boolean refuses) {
      this.name = name;
      this.refuses = refuses;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public void change(String wanted) throws IOException {
      if (refuses) {
        throw new IOException("not " + wanted);
      }
      name = wanted;
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.1.2.3, true",
    "::1, ::1, true",
    "192.0.2.7, 192.0.2.7, true",
    "2001:db8::7, 2001:db8::7, true",
    "192.0.2.7, 192.0.2.8, false",
    "2001:db8::7, 2001:db8::8, false",
  })
  void bothEndsAreThisHostIfTheirAddressIs(String local, String remote, boolean within)
      throws Exception {
    assertThat(Pacing.isWithinHost(address(local), address(remote))).isEqualTo(within);
  }

  private static InetSocketAddress address(String ip) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(ip), 4711);
  }

  @Test
  void aUnixDomainSocketIsNotPaced() {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of("/tmp/socket");
    assertThat(Pacing.isWithinHost(address, address)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bbr", "bbr2", "bbr3"})
  void whatPacesIsReplaced(String before) throws Exception {
    Socket socket = new Socket(before, false);
    assertThat(Pacing.end(socket)).isEqualTo(", TCP reno in place of " + before);
    assertThat(socket.name).isEqualTo("reno");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cubic", "reno", "dctcp", ""})
  void whatDoesNotIsLeftAlone(String before) throws Exception {
    Socket socket = new Socket(before, true);
    assertThat(Pacing.end(socket)).isEmpty();
    assertThat(socket.name).isEqualTo(before);
  }

  @Test
  void aKernelThatRefusesSaysSo() {
    assertThatThrownBy(() -> Pacing.end(new Socket("bbr", true)))
        .isInstanceOf(IOException.class)
        .hasMessage("not reno");
  }
}
