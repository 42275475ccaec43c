package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The certificates of docs/tls.md, made by its own lines, and the commands that use them. */
class TlsPageTest {
  @TempDir Path folder;

  private static final Path PAGE = Path.of("..", "docs", "tls.md");

  /** A command with the files of the page. */
  private String[] words(String line) {
    return Stream.of(line.split(" "))
        .map(word -> word.matches(".*\\.(pem|key|npy)") ? folder.resolve(word).toString() : word)
        .toArray(String[]::new);
  }

  @Test
  void theLinesOfThePageMakeCertificatesThatTheCommandsTake() throws Exception {
    makeCertificates();
    NpyWriter.write(
        folder.resolve("weights.npy"),
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[3]));
    String address = "unix:" + folder.resolve("s");
    String receive =
        "receive --listen "
            + address
            + " --discard --count 1 --tls --cert server.pem --key server.key --ca ca.pem"
            + " --require-client-cert";
    CompletableFuture<Outcome> receiver = CompletableFuture.supplyAsync(() -> run(words(receive)));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> receiver.isDone() || Files.exists(folder.resolve("s")));

    Outcome stranger = run(words("send --to " + address + " --tls --ca ca.pem weights.npy"));
    assertThat(stranger.status()).isEqualTo(1);
    assertThat(stranger.err()).contains("wants a certificate of this side");
    Outcome plain = run(words("send --to " + address + " --technique array weights.npy"));
    assertThat(plain.status()).isEqualTo(1);
    assertThat(plain.err()).contains("set tls at both sides");

    String sent =
        "send --to "
            + address
            + " --tls --ca ca.pem --cert client.pem --key client.key weights.npy";
    Outcome sender = run(words(sent));
    assertThat(sender.status()).as(sender.toString()).isZero();
    Outcome received = receiver.get();
    assertThat(received.status()).as(received.toString()).isZero();
    assertThat(received.out()).contains("array 1 from");
  }

  /** Operators need not leave their page for the lines that the test above runs. */
  @Test
  void theOperatorsPageHasTheSameLines() throws IOException {
    assertThat(firstBlock(Path.of("..", "docs", "operators.md"))).isEqualTo(firstBlock(PAGE));
  }

  private static String firstBlock(Path page) throws IOException {
    String text = Files.readString(page);
    String block = text.substring(text.indexOf("```sh\n") + "```sh\n".length());
    return block.substring(0, block.indexOf("```"));
  }

  private void makeCertificates() throws IOException, InterruptedException {
    String lines = firstBlock(PAGE);
    assertThat(lines.lines()).hasSizeLessThanOrEqualTo(10);
    assumeTrue(isOpenssl3(), "OpenSSL 3 is here");
    Process shell =
        new ProcessBuilder("sh", "-e", "-c", lines)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
  }

  private static boolean isOpenssl3() throws InterruptedException {
    try {
      Process version = new ProcessBuilder("openssl", "version").start();
      String said = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return version.waitFor() == 0 && said.startsWith("OpenSSL 3");
    } catch (IOException e) {
      return false;
    }
  }

  /** Each code that the page explains is one. */
  @Test
  void thePageKnowsTheCodes() throws IOException {
    List<String> codes = Arrays.stream(ErrorCode.values()).map(ErrorCode::name).toList();
    List<String> named =
        Files.readAllLines(PAGE).stream()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .toList();
    assertThat(named).hasSize(5).isSubsetOf(codes);
  }
}
