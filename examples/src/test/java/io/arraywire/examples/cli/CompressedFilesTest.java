package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code send --compress}, and what both commands print of it. */
@Tag("newest")
class CompressedFilesTest {
  private static final int COUNT = 100_000;

  private static final Pattern WIRE_BYTES = Pattern.compile("\"wireBytes\":(\\d+)");
  private static final Pattern RATIO = Pattern.compile("\"ratio\":([0-9.]+)");

  @TempDir Path dir;

  private final float[] readings = new float[COUNT];
  private Path file;
  private Path got;

  /** Halves, so that even {@code bf16} keeps most of them. */
  @BeforeEach
  void writeReadings() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      readings[i] = 20 + (i / 100 % 8) / 2f;
    }
    file = dir.resolve("readings.npy");
    NpyWriter.write(
        file,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of((long) COUNT)),
        ArraySlice.of(readings));
    got = dir.resolve("got.npy");
  }

  private String address() {
    return "unix:" + dir.resolve("s");
  }

  private CompletableFuture<Outcome> receiving(String... more) {
    String[] words =
        Stream.concat(Stream.of("receive", "--listen", address()), Stream.of(more))
            .toArray(String[]::new);
    return CompletableFuture.supplyAsync(() -> run(words));
  }

  private Outcome send(String... more) {
    String[] words =
        Stream.concat(Stream.of("send", "--wait", "60", "--to", address()), Stream.of(more))
            .toArray(String[]::new);
    return run(words);
  }

  /** With a name, without one, and without one before the file. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--compress FILE",
        "FILE --compress",
        "--compress=shuffle-zstd FILE",
        "--compress shuffle-lz4 FILE",
        "--compress=shuffle-lz4 --technique array FILE",
        "--compress --technique transfer --verify FILE",
        "--compress=bf16 FILE",
        "--compress=fp16 --transport stream FILE",
      })
  void theSameElementsInFewerBytes(String line) throws Exception {
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    Outcome sender = send(line.replace("FILE", file.toString()).split(" ", -1));

    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(NpyReader.read(got).elements().array()).isEqualTo(readings);
    String codec =
        Stream.of("shuffle-lz4", "bf16", "fp16")
            .filter(line::contains)
            .findFirst()
            .orElse("shuffle-zstd");
    assertThat(sender.out())
        .containsPattern(
            "400000 bytes in .* MB/s until acknowledged, "
                + codec
                + " \\(\\d+ on the wire, ratio [0-9.]+\\)\n");
    assertThat(receiver.get().out())
        .containsPattern("400000 bytes \\(\\d+ on the wire, ratio [0-9.]+\\) in ");
  }

  @Test
  void bothEndsCountTheSameBytes() throws Exception {
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString(), "--json");
    Outcome sender = send("--compress", "--json", file.toString());

    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(sender.out()).contains("\"compression\":\"shuffle-zstd\"");
    double wireBytes = number(WIRE_BYTES, sender.out());
    assertThat(wireBytes).isLessThan(4.0 * COUNT / 10);
    assertThat(number(RATIO, sender.out())).isEqualTo(4.0 * COUNT / wireBytes);
    assertThat(number(WIRE_BYTES, receiver.get().out())).isEqualTo(wireBytes);
    assertThat(number(RATIO, receiver.get().out())).isEqualTo(4.0 * COUNT / wireBytes);
  }

  @Test
  void withoutTheOptionNothingIsSaid() throws Exception {
    CompletableFuture<Outcome> receiver = receiving("--out", got.toString());
    Outcome sender = send(file.toString());

    assertThat(sender.out()).doesNotContain("ratio", "shuffle");
    assertThat(receiver.get().out()).contains("array 1 from").doesNotContain("ratio");
  }

  /** The receiver of {@code --into} moves bytes only. */
  @Test
  void aReceiverThatCannotDecodeIsNamed() throws Exception {
    CompletableFuture<Outcome> receiver = receiving("--into", got.toString());
    Outcome refused = send("--compress", file.toString());

    assertThat(refused.status()).isEqualTo(1);
    assertThat(refused.err().lines()).hasSize(1);
    assertThat(refused.err())
        .contains("the receiver cannot decode that; leave out --compress")
        .contains("(compress=shuffle-zstd, agreed=[");
    assertThat(send(file.toString()).status()).isZero();
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(Files.mismatch(file, got)).isEqualTo(-1);
  }

  private static double number(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    assertThat(matcher.find()).as(pattern + " in " + text).isTrue();
    return Double.parseDouble(matcher.group(1));
  }
}
