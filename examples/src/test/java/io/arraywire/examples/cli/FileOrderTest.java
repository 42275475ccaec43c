package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Agreement;
import io.arraywire.Connection;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.nio.NioTransport;
import io.arraywire.spi.Codecs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order elements lie in a file, and in which they travel. */
class FileOrderTest {
  private static final int[] SIX = {
    Integer.MIN_VALUE, Integer.MAX_VALUE, 0, 1, Integer.MAX_VALUE - 1, Integer.MIN_VALUE + 1
  };

  @TempDir Path dir;

  /** NumPy wrote it; see the script among the resources. */
  private Path fortran() throws IOException {
    Path file = dir.resolve("fortran.npy");
    try (InputStream in = NpyReader.class.getResourceAsStream("fortran.npy")) {
      assertThat(in).isNotNull();
      Files.write(file, in.readAllBytes());
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"mapped", "array", "transfer"})
  void fortranOrderArrivesInCOrder(String technique) throws Exception {
    Path file = fortran();
    Path got = dir.resolve("got.npy");
    String address = "unix:" + dir.resolve("s");
    CompletableFuture<Outcome> receiver =
        CompletableFuture.supplyAsync(
            () -> run("receive", "--listen", address, "--out", got.toString()));
    Outcome sender =
        run(
            "send",
            "--wait",
            "60",
            "--to",
            address,
            "--verify",
            "--technique",
            technique,
            file.toString());

    assertThat(sender.status()).as(sender.toString()).isZero();
    assertThat(sender.out()).contains("sent " + file + " to ", ": int (2, 3), 24 bytes");
    assertThat(receiver.get().status()).as(receiver.get().toString()).isZero();
    assertThat(NpyReader.readLayout(got).fortranOrder()).isFalse();
    assertThat(NpyReader.read(got).elements().array()).isEqualTo(SIX);
    assertThat(NpyReader.read(got).header().shape()).containsExactly(2L, 3L);
  }

  @Test
  void aFileInFortranOrderIsNotTakenAsItLies() throws Exception {
    Path file = fortran();
    assertThatThrownBy(() -> ArrayFile.npy(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("ascontiguousarray")
        .hasMessageContaining("file=" + file);
  }

  /** An array whose send names a codec is never compressed by the connection's own choice. */
  @Test
  void aCodecIsNamedOnlyWhereTheConnectionWouldTakeAnotherByteOrder() throws Exception {
    try (Listener listener =
            NioTransport.listen("localhost:0", Handlers.ofArrays((from, x) -> {}));
        Connection connection = NioTransport.connect(listener.address())) {
      Agreement agreement = connection.agreement();
      boolean little = agreement.sendEncoding().equals(Encoding.RAW_LITTLE_ENDIAN.name());
      Encoding own = little ? Encoding.RAW_LITTLE_ENDIAN : Encoding.RAW_BIG_ENDIAN;
      Encoding other = little ? Encoding.RAW_BIG_ENDIAN : Encoding.RAW_LITTLE_ENDIAN;
      assertThat(SendArrays.asItLies(agreement, own)).isNull();
      String named = SendArrays.asItLies(agreement, other);
      assertThat(named).isNotNull();
      assertThat(Codecs.named(String.valueOf(named)).encoding()).isEqualTo(other);
    }
  }
}
