package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files past the heap, between processes that have next to none. */
@Tag("ci")
@Tag("newest")
class FilesIT {
  /** Several times what the process may have of heap and direct memory together. */
  private static final int BYTES = 100 << 20;

  @TempDir Path dir;

  private static CliProcess small(Object... arguments) throws IOException {
    List<Object> command =
        new ArrayList<>(CliProcess.arraywireCommand("-Xmx24m", "-XX:MaxDirectMemorySize=4m"));
    command.addAll(List.of(arguments));
    return CliProcess.start(Map.of(), command.toArray());
  }

  private Path large() throws IOException {
    Path large = dir.resolve("large.bin");
    try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
      // Holes, but for something at either end and on the edge of a mapping's window.
      for (long at : new long[] {0, (64 << 20) - 3, BYTES - 8}) {
        file.seek(at);
        file.writeLong(0x0123456789abcdefL + at);
      }
    }
    return large;
  }

  @ParameterizedTest
  @CsvSource({"heap, buffer", "transfer, transfer"})
  void aFileThatIsLargerThanTheHeap(String send, String receive) throws Exception {
    assertFitsTheHeap(send, receive);
  }

  @ParameterizedTest
  @CsvSource({"stream, buffer", "direct, mapped", "mapped, mapped"})
  @Tag("variant")
  void aFileThatIsLargerThanTheHeapInOtherWays(String send, String receive) throws Exception {
    assertFitsTheHeap(send, receive);
  }

  private void assertFitsTheHeap(String send, String receive) throws Exception {
    Path large = large();
    Path got = dir.resolve("got.bin");
    try (CliProcess receiver =
            small("receive", "--listen", "localhost:0", "--into", got, "--technique", receive);
        CliProcess sender =
            small(
                "send",
                "--raw",
                "double",
                "--order",
                "big",
                "--technique",
                send,
                "--to",
                receiver.awaitListening(),
                large)) {
      assertThat(sender.awaitExit()).as(sender.toString()).isZero();
      assertThat(sender.err()).isEmpty();
      assertThat(sender.out().get(0))
          .contains(": double (13107200,), 104857600 bytes in ")
          .endsWith("acknowledged");
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      assertThat(receiver.out().get(1)).contains(" double (13107200,), >f8, 104857600 bytes in ");
    }
    assertThat(Files.mismatch(large, got)).isEqualTo(-1);
  }

  /** So the limits of that test mean something. */
  @Test
  void anArrayThatIsLargerThanTheHeap() throws Exception {
    try (CliProcess receiver =
            CliProcess.arraywire("receive", "--listen", "localhost:0", "--discard");
        CliProcess sender =
            small(
                "send",
                "--raw",
                "double",
                "--technique",
                "array",
                "--to",
                receiver.awaitListening(),
                large())) {
      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
      assertThat(sender.err().get(0))
          .startsWith(
              "arraywire send: not enough memory for the array; set ARRAYWIRE_JAVA_OPTS=-Xmx")
          .contains("m or more, or --technique mapped, which needs no heap for it (file=");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"buffer", "mapped", "transfer"})
  void anInterruptedReceiverLeavesNothing(String technique) throws Exception {
    Path got = dir.resolve("got.npy");
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--listen",
            "unix:" + dir.resolve("s"),
            "--into",
            got,
            "--technique",
            technique)) {
      receiver.awaitListening();
      boolean deaf = CliProcess.deafToInterrupts();
      receiver.signal(deaf ? "TERM" : "INT");
      assertThat(receiver.awaitExit()).as(receiver.toString()).isEqualTo(deaf ? 143 : 130);
      assertThat(receiver.err()).isEmpty();
    }
    assertThat(dir).isEmptyDirectory();
  }

  /** A file that shrinks is one line and no crash, whichever way it goes. */
  @ParameterizedTest
  @ValueSource(strings = {"mapped", "transfer"})
  void aFileThatShrinks(String technique) throws Exception {
    assertSaidInOneLine(technique);
  }

  @ParameterizedTest
  @ValueSource(strings = {"stream", "heap", "direct"})
  @Tag("variant")
  void aFileThatShrinksInOtherWays(String technique) throws Exception {
    assertSaidInOneLine(technique);
  }

  private void assertSaidInOneLine(String technique) throws Exception {
    Path large = large();
    try (CliProcess receiver =
            CliProcess.arraywire("receive", "--listen", "localhost:0", "--discard");
        CliProcess sender =
            small(
                "send",
                "--raw",
                "byte",
                "--repeat",
                1_000_000,
                "--technique",
                technique,
                "--to",
                receiver.awaitListening(),
                large)) {
      receiver.awaitOut("array 1 ");
      try (RandomAccessFile file = new RandomAccessFile(large.toFile(), "rw")) {
        file.setLength(1);
      }
      assertThat(sender.awaitExit()).as(sender.toString()).isEqualTo(1);
      assertThat(sender.err()).as(sender.toString()).hasSize(1);
      assertThat(sender.err().get(0))
          .startsWith("arraywire send: the file became shorter while it was sent")
          .contains("expectedBytes=104857600, fileBytes=1");
    }
  }
}
