package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.RemoteRejectedException;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.client.ArraywireClient;
import io.arraywire.nio.NioTransport;
import io.arraywire.testkit.TestAuthority;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What docs/tutorial.md builds: the client prints what the page says, over TLS and without. */
class TutorialTest {
  private static final Path PAGE = Path.of("..", "docs", "tutorial.md");

  private static FeatureServer server() {
    FeatureServer server = new FeatureServer();
    server.put(1, 0.5f, 1, -2, 4);
    server.put(2, 8, -0.25f, 0, 1);
    return server;
  }

  private static List<String> asked(Path folder, TransportCounters counters) throws Exception {
    try (Transport transport = NioTransport.create(FeatureServer.options(folder, counters));
        Listener listener =
            transport.listen(
                Transport.address("localhost:0"), Handlers.answering(server()::lookUp))) {
      String address = "localhost:" + ((InetSocketAddress) listener.address()).getPort();
      return StandardOut.of(ignored ->
          FeatureClient.main(
              folder == null ? new String[] {address} : new String[] {address, folder.toString()}));
    }
  }

  @Test
  void theClientPrintsWhatThePageSays() throws Exception {
    TransportCounters counters = TransportCounters.create();
    List<String> said = asked(null, counters);
    assertThat(Files.readString(PAGE)).contains("```\n" + String.join("\n", said) + "\n```");
    assertThat(said).hasSize(3);
    assertThat(counters.counts().arraysReceived()).isEqualTo(1);
  }

  @Test
  void bothSidesShowACertificate(@TempDir Path folder) throws Exception {
    TestAuthority authority = TestAuthority.named("tutorial");
    authority.write(folder.resolve("ca.pem"));
    for (String name : List.of("server", "client")) {
      TestAuthority.Identity identity = authority.issue(name, "localhost", "127.0.0.1");
      identity.writeCertificate(folder.resolve(name + ".pem"));
      identity.writeKey(folder.resolve(name + ".key"));
    }
    assertThat(asked(folder, TransportCounters.create())).hasSize(3);
  }

  @Test
  void tooManyIdsAreRefusedInTheServersWords() throws Exception {
    try (Transport transport = NioTransport.create(FeatureClient.options(null));
        Listener listener =
            transport.listen(
                Transport.address("localhost:0"), Handlers.answering(server()::lookUp));
        ArraywireClient client =
            ArraywireClient.over(
                    transport, "localhost:" + ((InetSocketAddress) listener.address()).getPort())
                .build()) {
      assertThatThrownBy(() -> client.call(new int[10_001], Duration.ofSeconds(30)))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("ask for fewer ids");
    }
  }
}
