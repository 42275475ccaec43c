package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SameHostTest {

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, 127.0.0.1, true",
    "127.0.0.1, 127.9.9.9, true",
    "::1, ::1, true",
    "192.0.2.7, 192.0.2.7, true",
    "2001:db8::7, 2001:db8::7, true",
    "192.0.2.7, 192.0.2.8, false",
    "192.0.2.7, 198.51.100.1, false",
    "2001:db8::7, 2001:db8::8, false"
  })
  void twoAddressesAreOfOneHostIfTheyAreLoopbackOrEqual(String local, String remote, boolean joined)
      throws UnknownHostException {
    assertThat(SameHost.joins(socket(local, 5), socket(remote, 6))).isEqualTo(joined);
  }

  @Test
  void unixDomainSocketsAreOfOneHost() {
    SocketAddress path = UnixDomainSocketAddress.of(Path.of("/run/arrays"));
    assertThat(SameHost.joins(path, UnixDomainSocketAddress.of(""))).isTrue();
    assertThat(SameHost.joins(UnixDomainSocketAddress.of(""), path)).isTrue();
  }

  @Test
  void nothingIsKnownOfOtherAddresses() {
    SocketAddress other = new SocketAddress() {};
    assertThat(SameHost.joins(other, other)).isFalse();
  }

  private static SocketAddress socket(String address, int port) throws UnknownHostException {
    return new InetSocketAddress(InetAddress.getByName(address), port);
  }
}
