package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.OfferStatus;
import io.arraywire.nio.NioTransport;
import io.arraywire.testkit.TestAuthority;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShortProgramsTest {
  @Test
  void askAndAnswer() throws Exception {
    assertThat(ShortPrograms.askAndAnswer()).containsExactly(6f, 30f);
  }

  @Test
  void oneQueryTwoArraysBack() throws Exception {
    float[][] rows = {{1, 0}, {0, 1}, {2, 2}};
    assertThat(ShortPrograms.search(rows, new float[] {3, 1}))
        .isEqualTo("[2, 0, 1][8.0, 3.0, 1.0]");
  }

  /** The query, the reply, who answers and who asks: the search itself is the program's own. */
  @Test
  void aSearchTakesFewerThanTwentyLinesOnBothSides() throws Exception {
    Path source = Path.of("src/main/java/io/arraywire/examples/ShortPrograms.java");
    List<String> search =
        Files.readAllLines(Path.of(System.getProperty("basedir", ".")).resolve(source)).stream()
            .dropWhile(line -> !line.startsWith("  static String search("))
            .takeWhile(line -> !line.isEmpty())
            .toList();
    assertThat(search).last().isEqualTo("  }");
    assertThat(search).hasSizeLessThan(20);
    assertThat(String.join("", search))
        .contains("Handlers.answering", "client.call", ".ints(\"ids\")", ".floats(\"scores\")");
  }

  @Test
  void intoOwnMemory() throws Exception {
    assertThat(ShortPrograms.intoOwnMemory(3))
        .containsExactly("0.0 [8, 16]", "1.0 [8, 16]", "2.0 [8, 16]");
  }

  @Test
  void waiting() throws Exception {
    assertThat(ShortPrograms.waiting()).containsExactly(OfferStatus.ACCEPTED, true);
  }

  @Test
  void publishAndSubscribe() throws Exception {
    assertThat(ShortPrograms.publishAndSubscribe()).containsExactly(4, 5);
  }

  @Test
  void notOnlyArrays(@TempDir Path directory) throws Exception {
    byte[] file =
        ByteBuffer.allocate(4 * 100_000).order(ByteOrder.LITTLE_ENDIAN).putFloat(4, 7).array();
    Path weights = Files.write(directory.resolve("weights.bin"), file);
    float[] samples = new float[400];
    samples[100] = 1;
    samples[299] = 2;
    float[] fromBuffer = new float[200];
    fromBuffer[0] = 1;
    fromBuffer[199] = 2;
    float[] fromFile = new float[100_000];
    fromFile[1] = 7;
    assertThat(ShortPrograms.notOnlyArrays(samples, new float[][] {{1, 2, 3}, {4, 5, 6}}, weights))
        .containsExactly(fromBuffer, new float[] {1, 2, 3, 4, 5, 6}, fromFile);
  }

  @Test
  void encrypted(@TempDir Path folder) throws Exception {
    TestAuthority authority = TestAuthority.named("example");
    TestAuthority.Identity both = authority.issue("both", "localhost", "127.0.0.1");
    assertThat(
            ShortPrograms.encrypted(
                both.writeCertificate(folder.resolve("both.pem")),
                both.writeKey(folder.resolve("both.key")),
                authority.write(folder.resolve("ca.pem"))))
        .isEqualTo(42);
  }

  @Test
  void withoutAConnection() throws Exception {
    assertThat(ShortPrograms.withoutAConnection(new float[] {1, 2}, 42)).containsExactly(1, 2);
  }

  @Test
  void chosenCodec() throws Exception {
    assertThat(ShortPrograms.chosenCodec()).isEqualTo("data-output");
  }

  @Test
  void aServerStaysUpUntilItIsTold() throws Exception {
    try (CliProcess service =
        CliProcess.start(
            Map.of(),
            CliProcess.java(),
            "-cp",
            CliProcess.classPath(),
            EchoService.class.getName(),
            "localhost:0")) {
      String listening = service.awaitListening();
      int port = Integer.parseInt(listening.substring(listening.lastIndexOf(':') + 1));
      Connection client = NioTransport.connect(new InetSocketAddress("localhost", port));
      assertThat(client.call(new int[] {7}, Duration.ofMinutes(1)).ints()).containsExactly(7);
      service.signal("TERM");
      assertThatThrownBy(() -> client.receive()).isInstanceOf(ConnectionClosedException.class);
      assertThat(service.awaitExit()).isEqualTo(143);
      client.close();
    }
  }
}
