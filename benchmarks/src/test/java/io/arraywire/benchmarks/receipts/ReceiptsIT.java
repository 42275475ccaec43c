package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No path copies more, asks the system more often or allocates more than {@code
 * benchmarks/receipts.txt} says. No clock takes part.
 */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the table says what sockets of Linux do")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
@Tag("alone")
@Tag("ci")
@Tag("newest")
class ReceiptsIT {
  private static final Path TABLE = Path.of("receipts.txt");

  static List<String> paths() {
    return paths(false);
  }

  static List<String> pathsOfNamedCodecs() {
    return paths(true);
  }

  private static List<String> paths(boolean ofNamedCodec) {
    List<String> paths =
        Route.all().stream()
            .filter(each -> each.name().startsWith("stream/") == ofNamedCodec)
            .map(Route::name)
            .toList();
    assertThat(paths).hasSizeGreaterThanOrEqualTo(5);
    return paths;
  }

  @ParameterizedTest
  @MethodSource("paths")
  void noFigureIsWorseThanInTheTable(String path) throws IOException {
    assertNoneIsWorse(path);
  }

  @ParameterizedTest
  @MethodSource("pathsOfNamedCodecs")
  @Tag("variant")
  void noFigureOfANamedCodecIsWorseThanInTheTable(String path) throws IOException {
    assertNoneIsWorse(path);
  }

  private static void assertNoneIsWorse(String path) throws IOException {
    assertThat(new ReceiptGuard(System.out).check(ReceiptTable.read(TABLE), Route.named(path)))
        .as(
            "what is worse than in benchmarks/receipts.txt; if that is meant, on a JDK 17 and on"
                + " one of 22 or later: "
                + ReceiptGuard.WRITE)
        .isEmpty();
  }

  @Test
  void everyRowIsMeasured() throws IOException {
    List<String> measured = new ArrayList<>();
    for (Route route : Route.all()) {
      for (Way way : route.ways()) {
        for (Workload workload : route.workloads(way)) {
          measured.add(
              ReceiptRow.key(route.name(), way.label, workload.elements(), ReceiptRow.thisJdk()));
        }
      }
    }
    assertThat(
            ReceiptTable.read(TABLE).rows().stream()
                .filter(row -> row.jdk().equals(ReceiptRow.thisJdk()))
                .map(ReceiptRow::key))
        .containsExactlyInAnyOrderElementsOf(measured);
  }
}
