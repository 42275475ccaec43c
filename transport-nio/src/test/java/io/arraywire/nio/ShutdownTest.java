package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.process.AnsweringProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server process that is told to end finishes what it has begun, and says goodbye. */
class ShutdownTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** What a process that SIGTERM ended exits with. */
  private static final int TERMINATED = 128 + 15;

  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aServerThatIsToldToEndDrainsItsConnectionsFirst(String name) throws Exception {
    CompletableFuture<Optional<ArraywireException>> closed = new CompletableFuture<>();
    ArrayHandler watch =
        new ArrayHandler() {
          @Override
          public void onArray(Connection from, ReceivedArray array) {}

          @Override
          public void onClosed(Connection from, @Nullable ArraywireException cause) {
            closed.complete(Optional.ofNullable(cause));
          }
        };
    try (AnsweringProcess server =
            new AnsweringProcess(ShutdownProgram.class, List.of(), PATIENCE, name);
        Transport transport = NioTransport.create(TransportOptions.defaults())) {
      int port = Integer.parseInt(server.line());
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      Connection connection = transport.connect(address, watch);
      CompletionStage<Receipt> sent =
          connection.sendAsync(ArraySlice.of(new int[3]), SendOptions.processed());
      assertThat(server.line()).isEqualTo("begun");
      // SIGTERM; Process.destroy would close the streams, too.
      assertThat(server.process().toHandle().destroy()).isTrue();
      Awaitility.await().atMost(PATIENCE).until(() -> !connection.isOpen());
      assertThat(server.process().isAlive()).as("its handler has yet to return").isTrue();
      server.process().outputWriter().write("go on\n");
      server.process().outputWriter().flush();
      Receipt receipt = sent.toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
      assertThat(receipt.elements()).isEqualTo(3);
      assertThat(closed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEmpty();
      assertThat(server.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(server.process().exitValue()).isEqualTo(TERMINATED);
    }
  }

  /**
   * Their sender was not promised more than that they were handed off; they have come all the same.
   */
  @ParameterizedTest
  @ValueSource(strings = {"nio", "stream"})
  void aServerThatIsToldToEndHandlesWhatHasCome(String name) throws Exception {
    try (AnsweringProcess server =
            new AnsweringProcess(ShutdownProgram.class, List.of(), PATIENCE, name);
        Transport transport = NioTransport.create(TransportOptions.defaults())) {
      int port = Integer.parseInt(server.line());
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      Connection connection = transport.connect(address);
      for (int i = 1; i <= 3; i++) {
        connection.send(new int[] {i}, SendOptions.handedOff().tag(i));
      }
      // The peer's goodbye says that it has read all of them.
      connection.close();
      assertThat(server.line()).isEqualTo("begun");
      assertThat(server.process().toHandle().destroy()).isTrue();
      for (int i = 1; i <= 3; i++) {
        server.process().outputWriter().write("go on\n");
        server.process().outputWriter().flush();
        assertThat(server.line()).isEqualTo("had " + i);
        if (i < 3) {
          assertThat(server.line()).isEqualTo("begun");
        }
      }
      assertThat(server.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(server.process().exitValue()).isEqualTo(TERMINATED);
    }
  }
}
