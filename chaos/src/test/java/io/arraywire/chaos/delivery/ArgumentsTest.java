package io.arraywire.chaos.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Checksums;
import io.arraywire.TransportOptions;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the programs are told, and what they say when it makes no sense. */
final class ArgumentsTest {
  @Test
  void addressesOfBothKindsGoThereAndBack() {
    Arguments arguments = new Arguments("tcp=127.0.0.1:80", "unix=unix:/tmp/a:b");
    assertThat(arguments.address("tcp")).isEqualTo(new InetSocketAddress("127.0.0.1", 80));
    assertThat(arguments.address("unix")).isEqualTo(UnixDomainSocketAddress.of("/tmp/a:b"));
    arguments.end();
    assertThat(Arguments.text(new InetSocketAddress("127.0.0.1", 80))).isEqualTo("127.0.0.1:80");
    assertThat(Arguments.text(UnixDomainSocketAddress.of("/tmp/a"))).isEqualTo("unix:/tmp/a");
  }

  @Test
  void optionsOfTheTransport() {
    TransportOptions options =
        new Arguments("heartbeatMillis=10", "heartbeatTimeoutMillis=40", "checksums=false")
            .options();
    assertThat(options.heartbeatInterval()).isEqualTo(Duration.ofMillis(10));
    assertThat(options.heartbeatTimeout()).isEqualTo(Duration.ofMillis(40));
    assertThat(options.checksums()).isEqualTo(Checksums.UNWANTED);
    assertThat(new Arguments().options().checksums()).isEqualTo(Checksums.ACROSS_HOSTS);
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    assertThatThrownBy(() -> new Arguments("--help"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("argument=--help");
    assertThatThrownBy(() -> new Arguments().text("log"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("name=log");
    assertThatThrownBy(() -> new Arguments("array=3").end())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("{array=3}");
  }
}
