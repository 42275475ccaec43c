package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Connections within this host, paced by their system's choice until something large is sent. With
 * the package of the JDK's channels open, as a user may have it, and so on every JDK.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the option is Linux's")
class UnpacedLoopbackTest {
  private static final String PACED = "bbr";
  private static final int LARGE = 1 << 16;

  private final List<SocketChannel> paced = new CopyOnWriteArrayList<>();

  private String kernelSays(Connection connection) throws IOException {
    for (SocketChannel channel : paced) {
      if (channel.getLocalAddress().equals(connection.localAddress())) {
        return control(channel).name();
      }
    }
    throw new AssertionError("no channel of " + connection);
  }

  private static CongestionControl control(SocketChannel channel) {
    CongestionControl control = OpenedJdk.of(channel);
    assertThat(control).as("the tests' JVM has %s", OpenedJdk.FLAG).isNotNull();
    return control;
  }

  /** Whose connections are paced at first. */
  private Transport transport(boolean unpaced) {
    return new SelectorTransport(
        TransportOptions.defaults(),
        NioOptions.builder().unpacedLoopback(unpaced).build(),
        channel -> {
          pace(channel);
          return SocketIo.of(channel);
        });
  }

  private void pace(SocketChannel channel) {
    try {
      control(channel).change(PACED);
      paced.add(channel);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void needsBbr() throws IOException {
    String allowed = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_allowed_congestion_control"));
    if (!List.of(allowed.strip().split(" ")).contains(PACED)) {
      String words =
          "!!! THAT LOOPBACK IS NOT PACED WAS NOT TESTED, which takes a kernel with bbr (allowed="
              + allowed.strip()
              + ") !!!";
      System.err.println(words);
      Assumptions.abort(words);
    }
  }

  private interface Check {
    void on(Connection connection) throws Exception;
  }

  private void connected(boolean unpaced, Check check) throws Exception {
    needsBbr();
    try (Transport transport = transport(unpaced);
        Listener listener =
            transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection connection = transport.connect(listener.address());
        Connection accepted = listener.accept()) {
      check.on(connection);
      assertThat(accepted.receive().floats()).isNotEmpty();
    }
  }

  @Test
  void somethingLargeEndsIt() throws Exception {
    connected(
        true,
        connection -> {
          assertThat(kernelSays(connection)).isEqualTo(PACED);
          connection.send(new float[LARGE]);
          assertThat(kernelSays(connection)).isEqualTo("reno");
          assertThat(connection.describe()).contains(", TCP reno in place of bbr, ");
        });
  }

  @Test
  void somethingSmallDoesNot() throws Exception {
    connected(
        true,
        connection -> {
          connection.send(new float[16]);
          assertThat(kernelSays(connection)).isEqualTo(PACED);
          assertThat(connection.describe()).doesNotContain("reno");
        });
  }

  @Test
  void theSystemsChoiceIsKeptOnRequest() throws Exception {
    connected(
        false,
        connection -> {
          connection.send(new float[LARGE]);
          assertThat(kernelSays(connection)).isEqualTo(PACED);
          assertThat(connection.describe()).doesNotContain("reno");
        });
  }

  @Test
  void anUnknownNameIsRefused() throws Exception {
    try (SocketChannel channel = SocketChannel.open()) {
      assertThatThrownBy(() -> control(channel).change("none")).isInstanceOf(IOException.class);
      assertThatThrownBy(() -> control(channel).change("cubic"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("name=cubic");
    }
  }
}
