package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an array costs over TLS beside time, both ends together. An engine of the JDK allocates for
 * each record whatever it is used by, so the library must not give it more to do than two engines
 * without a library have, and allocate next to nothing beside it. Prints the figures. No clock
 * takes part.
 */
@Tag("alone")
@Tag("newest")
class TlsReceiptsTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({"16, 2000, 8", "262144, 50, 16384", "16777216, 1, 1048576"})
  void anArrayCostsLittleBesideItsRecords(int elements, int arrays, double mostOurs)
      throws Exception {
    Path words = directory.resolve("words");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-Dio.netty.leakDetection.level=disabled",
                "-cp",
                System.getProperty("java.class.path"),
                TlsReceipts.class.getName(),
                Integer.toString(elements),
                Integer.toString(arrays),
                Double.toString(mostOurs))
            .redirectError(words.toFile())
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(Files.readString(words)).isZero();
    double[] figures =
        Stream.of(said.strip().split(" ")).mapToDouble(Double::parseDouble).toArray();
    String all =
        String.format(
            Locale.ROOT,
            "an array of %d floats over TLS: %.1f bytes of the library's own, %.0f of engines, %.0f"
                + " of engines without the library, %.1f reads and writes for a MiB",
            elements,
            figures[0],
            figures[1],
            figures[2],
            figures[3]);
    System.out.println(all);
    assertThat(figures[0]).as(all).isLessThan(mostOurs);
    assertThat(figures[1]).as(all).isLessThan(TlsReceipts.MOST_OF_BARE * figures[2]);
    if (elements * (double) Float.BYTES >= TlsReceipts.MIB) {
      assertThat(figures[3]).as(all).isLessThanOrEqualTo(TlsReceipts.MOST_OPERATIONS);
    }
  }
}
