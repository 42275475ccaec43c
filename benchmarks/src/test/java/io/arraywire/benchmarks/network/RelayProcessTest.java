package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class RelayProcessTest {
  private static final Duration DELAY = Duration.ofMillis(50);

  /** The common pool may have a single thread. */
  private static final Executor THREADS = task -> new Thread(task).start();

  @Test
  void bytesComeLaterEachWayAndAreTheSame() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(server), THREADS);
      int port =
          RelayProcess.carry((InetSocketAddress) server.getLocalSocketAddress(), DELAY.toNanos());
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        client.setTcpNoDelay(true);
        long begin = System.nanoTime();
        client.getOutputStream().write(7);
        assertThat(client.getInputStream().read()).isEqualTo(7);
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(2 * DELAY.toNanos());

        // Many portions wait at the same time: one after the other they would take 256 delays.
        byte[] sent = new byte[16 << 20];
        new Random(1).nextBytes(sent);
        begin = System.nanoTime();
        CompletableFuture<Void> sending =
            CompletableFuture.runAsync(() -> write(client, sent), THREADS);
        byte[] received = client.getInputStream().readNBytes(sent.length);
        assertThat(received).isEqualTo(sent);
        assertThat(System.nanoTime() - begin).isLessThan(200 * DELAY.toNanos());
        sending.get();
        client.shutdownOutput();
        assertThat(client.getInputStream().read()).as("the end").isEqualTo(-1);
      }
      echo.get();
    }
  }

  @Test
  void aTargetThatIsNotThereEndsOneConnectionAndNoOther() throws Exception {
    // Has the port and does not listen: nobody else gets it until the server comes.
    try (Socket place = new Socket()) {
      place.setReuseAddress(true);
      place.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      InetSocketAddress target = (InetSocketAddress) place.getLocalSocketAddress();
      int port = RelayProcess.carry(target, DELAY.toNanos());
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(client.getInputStream().read()).isEqualTo(-1);
      }
      try (ServerSocket server = new ServerSocket(target.getPort(), 1, target.getAddress())) {
        CompletableFuture<Void> echo = CompletableFuture.runAsync(() -> echo(server), THREADS);
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
          client.getOutputStream().write(7);
          assertThat(client.getInputStream().read()).isEqualTo(7);
          // Breaks off instead of ending; for the other it is the end.
          client.setSoLinger(true, 0);
        }
        assertThat(echo).succeedsWithin(Duration.ofSeconds(60));
      }
    }
  }

  private static void write(Socket client, byte[] bytes) {
    try {
      client.getOutputStream().write(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void echo(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getInputStream().transferTo(socket.getOutputStream());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
