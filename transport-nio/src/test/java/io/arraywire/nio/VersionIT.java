package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Listener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** What the packaged jars say of themselves. */
class VersionIT {
  @Test
  void aPeerIsToldTheVersionOfTheJar() throws Exception {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (Listener listener = NioTransport.listen(anyPort);
        Connection connection = NioTransport.connect(listener.address())) {
      assertThat(connection.agreement().peer()).matches("arraywire-java [0-9]+\\.[0-9]+\\..*");
      assertThat(connection.describe()).contains("peer is " + connection.agreement().peer());
    }
  }
}
