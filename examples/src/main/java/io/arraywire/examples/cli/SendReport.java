package io.arraywire.examples.cli;

import io.arraywire.Delivery;
import io.arraywire.examples.npy.NpyArray;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.Units;
import java.nio.file.Path;

/** What {@code send} prints. */
final class SendReport {
  private final Console console;
  private final boolean json;

  SendReport(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  /** A file was sent as often as was asked for. */
  void sent(
      Path file,
      Address to,
      NpyArray array,
      int repeat,
      long nanos,
      SendCommand.Totals totals,
      Delivery delivery) {
    String type = array.elements().type().javaName();
    long bytes = array.elements().bytes();
    double rate = Units.megabytesPerSecond(bytes * repeat, nanos);
    if (!json) {
      console.print(
          String.format(
              "sent %s to %s: %s %s, %d bytes%s in %s, %s MB/s, %s",
              file,
              to,
              type,
              Units.shape(array.header().shape()),
              bytes,
              repeat == 1 ? "" : " x " + repeat,
              Units.time(nanos),
              Units.significant(rate),
              delivery == Delivery.PROCESSED ? "acknowledged" : "handed to the kernel"));
      return;
    }
    console.print(
        Json.text(
            Json.object(
                "event",
                "sent",
                "file",
                file,
                "to",
                to,
                "type",
                type,
                "elements",
                array.elements().length(),
                "shape",
                array.header().shape(),
                "bytes",
                bytes,
                "repeat",
                repeat,
                "seconds",
                nanos / 1e9,
                "megabytesPerSecond",
                rate,
                "delivery",
                delivery,
                "wireBytes",
                ReceiveReport.known(totals.wireBytes()),
                "copiedBytes",
                ReceiveReport.known(totals.copiedBytes()),
                "channelOperations",
                ReceiveReport.known(totals.channelOperations()))));
  }
}
