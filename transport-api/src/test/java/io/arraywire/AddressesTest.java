package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressesTest {
  @Test
  void anAddressIsReadAsPeopleWriteIt() {
    assertThat(Transport.address("localhost:0")).isEqualTo(new InetSocketAddress("localhost", 0));
    assertThat(Transport.address("127.0.0.1:65535"))
        .isEqualTo(new InetSocketAddress("127.0.0.1", 65535));
    assertThat(Transport.address("[::1]:4711")).isEqualTo(new InetSocketAddress("::1", 4711));
    assertThat(Transport.address(":4711")).isEqualTo(new InetSocketAddress(4711));
    assertThat(Transport.address("unix:/tmp/a:1"))
        .isEqualTo(UnixDomainSocketAddress.of("/tmp/a:1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "localhost:",
        "localhost:65536",
        "localhost:-1",
        "::1:80",
        "unix:"
      })
  void whatIsNoAddressIsSaidSo(String text) {
    assertThatThrownBy(() -> Transport.address(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an address: ")
        .hasMessageContaining("(address=" + text + ")");
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:80, leave out the scheme",
    "tcp://[::1]:80, leave out the scheme",
    "[::1], the port is missing",
    "::1:80, an IPv6 address needs brackets",
    "localhost:x, the port is not a number"
  })
  void whatIsWrongIsNamed(String text, String words) {
    assertThatThrownBy(() -> Transport.address(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not an address: " + words);
  }
}
