package io.arraywire.benchmarks.receipts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReceiptTableTest {
  private static final Cost FREE = new Cost(0, 1, 0);
  private static final Cost DEAR = new Cost(1, 22, 1000);

  @TempDir private Path directory;

  private static ReceiptRow row(String path, String jdk, Cost sent, Cost received) {
    return new ReceiptRow(path, "send", 16, jdk, sent, received);
  }

  private static ReceiptRow nio(Cost sent) {
    return row("nio", "17", sent, FREE);
  }

  private static List<String> complaints(Cost table, Cost measured) {
    return new ReceiptTable(List.of(nio(table))).complaints(List.of(nio(measured)));
  }

  private static List<String> hints(Cost table, Cost measured) {
    return new ReceiptTable(List.of(nio(table))).hints(List.of(nio(measured)));
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    Path file = directory.resolve("receipts.txt");
    ReceiptTable table =
        new ReceiptTable(
            List.of(
                nio(DEAR),
                row("nio", "22+", FREE, DEAR),
                row("other", "22+", new Cost(Cost.UNKNOWN, 1.25, 3), FREE)));
    table.write(file);
    assertThat(Files.readString(file)).contains("unknown").contains("received-allocated\n");
    assertThat(ReceiptTable.read(file).rows()).isEqualTo(table.rows());
  }

  @Test
  void figuresAreRoundedUp() {
    assertThat(nio(new Cost(0.0001, 1.251, 3.01)).cells())
        .containsExactly("nio", "send", "16", "17", "0.01", "1.26", "4", "0.00", "1.00", "0");
  }

  @Test
  void theRowsOfOneJdkAndPathAreReplaced() {
    ReceiptTable table =
        new ReceiptTable(
            List.of(nio(FREE), row("other", "17", FREE, FREE), row("nio", "22+", FREE, FREE)));
    assertThat(table.with("nio", "17", List.of(nio(DEAR))).rows())
        .containsExactly(nio(DEAR), row("other", "17", FREE, FREE), row("nio", "22+", FREE, FREE));
    assertThat(table.with("new", "17", List.of(row("new", "17", DEAR, FREE))).rows())
        .containsExactly(
            nio(FREE),
            row("other", "17", FREE, FREE),
            row("new", "17", DEAR, FREE),
            row("nio", "22+", FREE, FREE));
  }

  @Test
  void moreThanTheToleranceIsWorse() {
    assertThat(complaints(DEAR, DEAR)).isEmpty();
    assertThat(complaints(DEAR, new Cost(1, 33.2, 1524))).isEmpty();
    assertThat(complaints(DEAR, new Cost(1.01, 33.3, 1525)))
        .containsExactly(
            "nio, send, elements=16, jdk=17: sent-copies is worse"
                + " (measured=1.01, table=1.00, allowed=1.00)",
            "nio, send, elements=16, jdk=17: sent-operations is worse"
                + " (measured=33.30, table=22.00, allowed=33.25)",
            "nio, send, elements=16, jdk=17: sent-allocated is worse"
                + " (measured=1525, table=1000, allowed=1524.00)");
    // Two of the smallest objects, of 16 bytes each.
    assertThat(complaints(FREE, new Cost(0, 1, 32))).hasSize(1);
  }

  @Test
  void eachFigureOfTheReceiverCounts() {
    ReceiptTable table = new ReceiptTable(List.of(row("nio", "17", FREE, DEAR)));
    assertThat(table.complaints(List.of(row("nio", "17", FREE, new Cost(2, 34, 10_000)))))
        .hasSize(3)
        .allMatch(complaint -> complaint.contains(": received-"));
  }

  @Test
  void aReceiverMayReadInSmallerPortions() {
    // 4 MiB: 32 reads of 128 KiB.
    ReceiptRow was = large(new Cost(0, 10, 1000));
    ReceiptTable table = new ReceiptTable(List.of(was));
    // 3.2 times the reads, of which every second finds nothing: 2 * 3.2 * (1.6 * 1000 + 24).
    assertThat(table.complaints(List.of(large(new Cost(0, 32, 10_393))))).isEmpty();
    assertThat(table.complaints(List.of(large(new Cost(0, 32, 10_394)))))
        .singleElement()
        .asString()
        .contains(": received-allocated is worse", "allowed=10393.60");
    assertThat(table.complaints(List.of(large(new Cost(0, 33, 1000)))))
        .singleElement()
        .asString()
        .contains(": received-operations is worse", "allowed=32.00");
    // Fewer reads do not lower what they may cost: 2 * (1.6 * 1000 + 24).
    assertThat(table.complaints(List.of(large(new Cost(0, 2, 3248))))).isEmpty();
    assertThat(table.complaints(List.of(large(new Cost(0, 2, 3249))))).hasSize(1);
  }

  @Test
  void onlyWhatStaysAllowedWhenFiguresFallIsSurelyAllowed() {
    ReceiptTable table = new ReceiptTable(List.of(large(new Cost(0, 10, 1000))));
    assertThat(table.surelyAllows(large(new Cost(0, 32, 3248)))).isTrue();
    // Allowed with so many reads; with the table's ten it would be worse.
    ReceiptRow manyReads = large(new Cost(0, 32, 10_393));
    assertThat(table.complaints(List.of(manyReads))).isEmpty();
    assertThat(table.surelyAllows(manyReads)).isFalse();
    assertThat(table.complaints(List.of(large(new Cost(0, 10, 10_393))))).hasSize(1);
    assertThat(table.surelyAllows(large(new Cost(Cost.UNKNOWN, 10, 1000)))).isFalse();
    assertThat(new ReceiptTable(List.of()).surelyAllows(manyReads)).isFalse();
  }

  private static ReceiptRow large(Cost received) {
    return new ReceiptRow("nio", "send", 1 << 20, "17", FREE, received);
  }

  @Test
  void whatIsNoLongerKnownIsWorse() {
    Cost unknown = new Cost(Cost.UNKNOWN, 22, 1000);
    assertThat(complaints(DEAR, unknown))
        .containsExactly(
            "nio, send, elements=16, jdk=17: sent-copies is worse"
                + " (measured=unknown, table=1.00, allowed=1.00)");
    assertThat(complaints(unknown, unknown)).isEmpty();
    assertThat(complaints(unknown, DEAR)).isEmpty();
    assertThat(hints(unknown, DEAR)).hasSize(1);
    assertThat(hints(unknown, unknown)).isEmpty();
  }

  @Test
  void muchBetterIsSaidAndNotWorse() {
    Cost better = new Cost(0, 10, 500);
    assertThat(complaints(DEAR, better)).isEmpty();
    assertThat(hints(DEAR, better))
        .hasSize(3)
        .contains(
            "nio, send, elements=16, jdk=17: sent-allocated can be lowered"
                + " (measured=500, table=1000)");
    assertThat(hints(DEAR, new Cost(1, 21, 960))).isEmpty();
  }

  @Test
  void aRowThatIsNotInTheTableIsAComplaint() {
    assertThat(new ReceiptTable(List.of()).complaints(List.of(nio(FREE))))
        .containsExactly("nio, send, elements=16, jdk=17: not in the table");
  }

  @Test
  void aBrokenTableIsRefused() throws Exception {
    Path file = directory.resolve("receipts.txt");
    Files.writeString(file, "path way\nnio send 16\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ReceiptTable.read(file))
        .withMessageContaining("cells=3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ReceiptTable(List.of(nio(FREE), nio(DEAR))))
        .withMessageContaining("nio, send, elements=16, jdk=17");
  }
}
