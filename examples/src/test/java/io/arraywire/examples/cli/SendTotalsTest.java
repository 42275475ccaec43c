package io.arraywire.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Receipt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code send} says of compression that it was not asked for. */
class SendTotalsTest {

  /** Two arrays of 500 bytes; noise travels in raw blocks, which are a little longer than it. */
  @ParameterizedTest
  @CsvSource({
    "shuffle-lz4, 300, shuffle-lz4",
    "shuffle-lz4, 501, ",
    "shuffle-lz4, -1, shuffle-lz4",
    "raw-le, 508, "
  })
  void anEncodingIsNamedIfItMadeAnythingSmaller(String encoding, long wireBytes, String named) {
    SendTotals totals = new SendTotals();
    totals.add(new Receipt(125, wireBytes, 0, 1, 0, encoding), 0);
    totals.add(new Receipt(125, wireBytes, 0, 1, 0, encoding), 0);
    assertThat(totals.compression(1000)).isEqualTo(named);
  }
}
