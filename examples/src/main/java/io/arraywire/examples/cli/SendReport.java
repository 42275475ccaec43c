package io.arraywire.examples.cli;

import io.arraywire.Delivery;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.Units;
import org.jspecify.annotations.Nullable;

/** What {@code send} prints. */
final class SendReport {
  private final Console console;
  private final boolean json;

  SendReport(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  /** The receiver has the file, all bits of it, and it was not sent. */
  void isThere(Outgoing outgoing, Address to) {
    skipped(outgoing, to, "the receiver has it, bit for bit");
  }

  /** The receiver has a file of that name, and refused this one when it had come. */
  void skipped(Outgoing outgoing, Address to) {
    skipped(outgoing, to, ArrayStore.TAKEN);
  }

  private void skipped(Outgoing outgoing, Address to, String why) {
    console.print(
        json
            ? Json.text(Json.object("event", "skipped", "file", outgoing.shown(), "to", to))
            : "skipped " + outgoing.shown() + ": " + why);
  }

  /**
   * A file was sent as often as was asked for.
   *
   * @param already the bytes that the receiver had before
   * @param nanos until the last delivery: where that is an acknowledgement, the receiver has
   *     written the file by then
   * @param compression the codec that compressed it, or null if none did
   */
  void sent(
      Outgoing outgoing,
      Address to,
      int repeat,
      long already,
      long nanos,
      SendTotals totals,
      Delivery delivery,
      @Nullable String compression,
      String technique) {
    ArrayFile file = outgoing.file();
    String type = file.type().typeName();
    long bytes = file.bytes();
    double rate = Units.megabytesPerSecond(bytes * repeat - already, nanos);
    Double ratio = ReceiveReport.ratio(bytes * repeat - already, totals.wireBytes());
    if (!json) {
      console.print(
          String.format(
              "sent %s to %s: %s %s, %d bytes%s%s in %s, %s MB/s until %s%s",
              outgoing.shown(),
              to,
              type,
              Units.shape(file.header().shape()),
              bytes,
              repeat == 1 ? "" : " x " + repeat,
              ReceiveReport.wereHere(already),
              Units.time(nanos),
              Units.significant(rate),
              delivery == Delivery.PROCESSED ? "acknowledged" : "handed to the kernel",
              compression == null
                  ? ""
                  : ", " + compression + ReceiveReport.onTheWire(ratio, totals.wireBytes())));
      return;
    }
    console.print(
        Json.text(
            Json.object(
                "event",
                "sent",
                "file",
                outgoing.shown(),
                "to",
                to,
                "type",
                type,
                "elements",
                file.header().count(),
                "shape",
                file.header().shape(),
                "bytes",
                bytes,
                "repeat",
                repeat,
                "resumedBytes",
                already,
                "seconds",
                nanos / 1e9,
                "megabytesPerSecond",
                rate,
                "technique",
                technique,
                "delivery",
                delivery,
                "compression",
                compression,
                "wireBytes",
                ReceiveReport.known(totals.wireBytes()),
                "ratio",
                ratio,
                "copiedBytes",
                ReceiveReport.known(totals.copiedBytes()),
                "channelOperations",
                ReceiveReport.known(totals.channelOperations()))));
  }
}
