package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
  @ParameterizedTest
  @CsvSource({
    "localhost:0, localhost, 0",
    "127.0.0.1:65535, 127.0.0.1, 65535",
    "[::1]:4711, ::1, 4711",
    ":4711, '', 4711",
    "unix:/tmp/a socket, /tmp/a socket, -1"
  })
  void readsAndWritesEveryForm(String text, String host, int port) {
    Address address = Address.parse(text);

    assertThat(address.host()).isEqualTo(host);
    assertThat(address.port()).isEqualTo(port);
    assertThat(address).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "localhost:",
        "localhost:65536",
        "localhost:-1",
        "localhost:4x",
        "::1:4711",
        "[]:4711",
        "[::1]",
        "unix:",
        "localhost:000001",
        "localhost:\u0661"
      })
  void refusesWhatIsNoAddress(String text) {
    assertThatThrownBy(() -> Address.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("address=" + text)
        .hasMessageContaining("forms=HOST:PORT [::1]:PORT unix:PATH, :PORT to listen");
  }

  @Test
  void resolves() throws Exception {
    assertThat(Address.parse("[::1]:7").resolve())
        .isEqualTo(new InetSocketAddress(InetAddress.getByName("::1"), 7));
    assertThat(Address.parse(":7").resolve()).isEqualTo(new InetSocketAddress(7));
    assertThat(Address.parse("unix:/tmp/x").resolve())
        .isEqualTo(UnixDomainSocketAddress.of("/tmp/x"));
    assertThatThrownBy(() -> Address.parse("no-such-host.invalid:1").resolve())
        .isInstanceOf(UnknownHostException.class);
  }

  @Test
  void takesTheRealPort() throws Exception {
    assertThat(
            Address.parse("localhost:0")
                .bound(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 9)))
        .hasToString("localhost:9");
    assertThat(Address.text(new InetSocketAddress(InetAddress.getByName("::1"), 9)))
        .isEqualTo("[0:0:0:0:0:0:0:1]:9");
    assertThat(Address.text(UnixDomainSocketAddress.of(""))).isEqualTo("unix:(unnamed)");
    assertThat(Address.text(UnixDomainSocketAddress.of("/a"))).isEqualTo("unix:/a");
  }
}
