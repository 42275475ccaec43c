package io.arraywire.benchmarks.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.examples.npy.NpyDtype;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.process.ChildJvm;
import io.arraywire.examples.process.CommandLoop;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole run, small; nothing is asserted of how long anything takes. */
@Timeout(300)
@Tag("ci")
@Tag("newest")
class FileBenchIT {
  private static final List<String> SENDING =
      List.of("stream", "heap", "direct", "mapped", "transfer", "array");
  private static final List<String> RECEIVING = List.of("buffer", "mapped", "transfer", "array");

  private static final long HEAP_BYTES = 96L << 20;

  /** More than any buffer holds, and a multiple of none. */
  private static final int COUNT = 300_001;

  @TempDir private Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private FileBench bench(List<Long> sizes, Class<?> receiverMain) {
    return new FileBench(
        sizes, 2, directory, receiverMain, HEAP_BYTES, new PrintStream(out, true, UTF_8));
  }

  @Test
  void tablesHaveARowForEachTechnique() throws Exception {
    bench(List.of(64L, 4L * COUNT), FileReceiverProcess.class).run();
    List<List<String>> tables = tables(out.toString(UTF_8));
    assertThat(tables).hasSize(4);
    checkTable(tables.get(0), "send", "64 bytes", SENDING, "stream");
    checkTable(tables.get(1), "receive", "64 bytes", RECEIVING, "buffer");
    checkTable(tables.get(2), "send", "1.1 MiB", SENDING, "stream");
    checkTable(tables.get(3), "receive", "1.1 MiB", RECEIVING, "buffer");
    assertThat(directory).isEmptyDirectory();
  }

  /** The lines of each, which ends with an empty one. */
  private static List<List<String>> tables(String text) {
    List<List<String>> tables = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (line.isEmpty()) {
        tables.add(lines);
        lines = new ArrayList<>();
      } else {
        lines.add(line);
      }
    }
    assertThat(lines).isEmpty();
    return tables;
  }

  private static void checkTable(
      List<String> lines, String question, String size, List<String> names, String baseline) {
    assertThat(lines.get(0)).startsWith(question + ", " + size + ", 2 rounds, Java ");
    assertThat(lines.get(1)).matches(question + " +x " + baseline + " +GB/s +spread +CPU s/GB");
    List<String> rows = lines.subList(3, lines.size());
    assertThat(rows)
        .allSatisfy(row ->
            assertThat(row)
                .matches(
                    "[a-z]+ +[0-9]+\\.[0-9]{2} +[0-9]+\\.[0-9]{2} +[0-9]+ % +[0-9]+\\.[0-9]{2}"))
        .anySatisfy(row -> assertThat(row).matches(baseline + " +1\\.00 .*"));
    assertThat(rows)
        .extracting(row -> row.substring(0, row.indexOf(' ')))
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void anArrayThatIsAnotherEndsIt() throws Exception {
    assertThatThrownBy(() -> bench(List.of(64L), OtherArrays.class).run())
        .isInstanceOf(IOException.class)
        .hasMessage("what arrived is not what was sent (sendTechnique=mapped, receive=array)");
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aFileThatIsAnotherEndsIt() throws Exception {
    assertThatThrownBy(() -> bench(List.of(64L), OtherFiles.class).run())
        .isInstanceOf(IOException.class)
        .hasMessage("what arrived is not what was sent (sendTechnique=transfer, receive=mapped)");
    assertThat(out.toString(UTF_8)).startsWith("send, ").doesNotContain("receive, ");
    assertThat(directory).isEmptyDirectory();
  }

  /** Receives what was sent, and then has something else. */
  static final class OtherArrays {
    public static void main(String[] arguments) throws Exception {
      FileReceiverProcess honest = new FileReceiverProcess();
      new CommandLoop()
          .serve(words -> {
            if (words[0].equals("checksum")) {
              honest.run(new String[] {"spoil"});
            }
            return honest.run(words);
          });
    }
  }

  /** Receives what was sent, and then the file loses its end. */
  static final class OtherFiles {
    private static Path file = Path.of("none");

    public static void main(String[] arguments) throws Exception {
      FileReceiverProcess honest = new FileReceiverProcess();
      new CommandLoop()
          .serve(words -> {
            String[] answer = honest.run(words);
            if (words[0].equals("into")) {
              file = Path.of(words[2]);
            } else if (words[0].equals("stored")) {
              Files.write(file, Arrays.copyOf(Files.readAllBytes(file), 100));
            }
            return answer;
          });
    }
  }

  @Test
  void wrongArgumentsAreSaidInOneLine() throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                FileBench.class.getName(),
                "64X",
                "1",
                directory.toString())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
        .startsWith("FileBench: ")
        .contains("such as 64M (size=64X)")
        .hasLineCount(1);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void whatArrivesIsWhatWasSent() throws Exception {
    Path sent = directory.resolve("sent.npy");
    NpyWriter.write(
        sent,
        new NpyHeader(NpyDtype.of(ElementType.FLOAT), List.of((long) COUNT)),
        ArraySlice.of(Elements.random(COUNT)));
    Path got = directory.resolve("got.npy");
    try (ChildJvm receiver =
            ChildJvm.start("receiver", FileReceiverProcess.class, HEAP_BYTES, System.err);
        ChildJvm sender =
            ChildJvm.start("sender", FileSenderProcess.class, HEAP_BYTES, System.err)) {
      String checksum = sender.ask("checksum", sent)[0];
      assertThat(checksum).isEqualTo(Elements.checksum(Elements.random(COUNT), COUNT));
      String port = receiver.ask("arrays", COUNT, got)[0];
      for (String technique : SENDING) {
        receiver.ask("spoil");
        assertThat(receiver.ask("checksum")[0]).isNotEqualTo(checksum);
        Files.deleteIfExists(got);
        checkTimes(sender.ask("send", technique, sent, port));
        assertThat(receiver.ask("checksum")[0]).as(technique).isEqualTo(checksum);
        assertThat(got).as(technique).hasSameBinaryContentAs(sent);
      }
      for (String technique : RECEIVING) {
        if (!technique.equals(FileBench.ARRAY)) {
          Files.deleteIfExists(got);
          port = receiver.ask("into", technique, got)[0];
          checkTimes(sender.ask("send", "transfer", sent, port));
          receiver.ask("stored");
          assertThat(got).as(technique).hasSameBinaryContentAs(sent);
        }
      }
    }
  }

  /** That is all that can be said of them. */
  private static void checkTimes(String[] words) {
    assertThat(words).hasSize(2);
    assertThat(Long.parseLong(words[0])).isPositive();
    assertThat(Long.parseLong(words[1])).isNotNegative();
  }
}
