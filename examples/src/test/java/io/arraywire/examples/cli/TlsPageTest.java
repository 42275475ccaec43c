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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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
    CompletableFuture<Outcome> receiver =
        receive("--tls --cert server.pem --key server.key --ca ca.pem --require-client-cert");

    assertThat(refused("--tls --ca ca.pem"))
        .contains("wants a certificate of this side")
        .endsWith("; that is --cert and --key");
    assertThat(refused("--tls --cert client.pem --key client.key"))
        .contains("add its issuer to the trusted authorities")
        .endsWith("; that is --ca with the issuer's certificate");

    assertArrives("--tls --ca ca.pem --cert client.pem --key client.key", receiver);
  }

  private static final Pattern SHOWN = Pattern.compile("The last command shows .*?: (.*)\\.");

  /** The last command of the page, but that it connects to a Unix domain socket. */
  @Test
  void opensslShowsWhatThePageSays() throws Exception {
    makeCertificates();
    CompletableFuture<Outcome> receiver =
        receive("--tls --cert server.pem --key server.key --ca ca.pem --require-client-cert");

    List<String> page = Files.readAllLines(PAGE);
    String line =
        page.stream().filter(each -> each.startsWith("openssl s_client")).findFirst().orElseThrow();
    assertThat(line).contains("-connect localhost:4711");
    line = line.replace("-connect localhost:4711", "-unix " + folder.resolve("s"));
    Process openssl = new ProcessBuilder(words(line)).redirectErrorStream(true).start();
    openssl.getOutputStream().close();
    String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(openssl.waitFor()).as(said).isZero();
    Matcher shown =
        page.stream().map(SHOWN::matcher).filter(Matcher::matches).findFirst().orElseThrow();
    assertThat(shown.group(1).replace("`", "").split(", ")).hasSize(3);
    assertThat(said).contains(shown.group(1).replace("`", "").split(", "));

    assertArrives("--tls --ca ca.pem --cert client.pem --key client.key", receiver);
  }

  private static final String AT_BOTH =
      "; give --tls at both sides, with --cert and --key to receive and --ca to send, or at neither";

  @Test
  void aSenderWithoutTlsIsToldThatTheReceiverHasIt() throws Exception {
    makeCertificates();
    CompletableFuture<Outcome> receiver = receive("--tls --cert server.pem --key server.key");

    assertThat(refused("--technique array"))
        .contains(
            "send: the peer reports: the listener speaks TLS and the connecting side does not;")
        .endsWith(AT_BOTH);

    Outcome received = assertArrives("--tls --ca ca.pem", receiver);
    assertThat(received.err())
        .contains(": this side speaks TLS and the peer does not;")
        .contains(AT_BOTH);
  }

  @Test
  void aSenderWithTlsIsToldThatTheReceiverHasNone() throws Exception {
    makeCertificates();
    CompletableFuture<Outcome> receiver = receive("");

    assertThat(refused("--tls --ca ca.pem"))
        .contains("send: this side speaks TLS and the peer does not;")
        .endsWith(AT_BOTH);

    Outcome received = assertArrives("--technique array", receiver);
    assertThat(received.err())
        .contains(": the peer speaks TLS and this side does not;")
        .contains(AT_BOTH);
  }

  private String address() {
    return "unix:" + folder.resolve("s");
  }

  /** Receives one array in another thread, and listens when this returns. */
  private CompletableFuture<Outcome> receive(String options) throws IOException {
    NpyWriter.write(
        folder.resolve("weights.npy"),
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of(3L)),
        ArraySlice.of(new float[3]));
    String line = "receive --listen " + address() + " --discard --count 1 " + options;
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(() -> run(words(line.strip())));
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> receiver.isDone() || Files.exists(folder.resolve("s")));
    return receiver;
  }

  private Outcome send(String options) {
    return run(words("send --to " + address() + " " + options + " weights.npy"));
  }

  /** The line that a sender ends with. */
  private String refused(String options) {
    Outcome sender = send(options);
    assertThat(sender.status()).as(sender.toString()).isEqualTo(1);
    return sender.err().strip();
  }

  private Outcome assertArrives(String options, CompletableFuture<Outcome> receiver)
      throws Exception {
    Outcome sender = send(options);
    assertThat(sender.status()).as(sender.toString()).isZero();
    Outcome received = receiver.get();
    assertThat(received.status()).as(received.toString()).isZero();
    assertThat(received.out()).contains("array 1 from");
    return received;
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
