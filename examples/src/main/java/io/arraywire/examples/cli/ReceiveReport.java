package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.ReceivedFile;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.report.Json;
import io.arraywire.examples.report.Units;
import java.net.SocketAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What {@code receive} prints. Any thread. */
final class ReceiveReport {
  private final Console console;
  private final boolean json;
  private final Runnable beforeLine;

  /**
   * Makes a report.
   *
   * @param beforeLine run before each line, to wipe what stands where it goes
   */
  ReceiveReport(Console console, boolean json, Runnable beforeLine) {
    this.console = console;
    this.json = json;
    this.beforeLine = beforeLine;
  }

  private void print(String line) {
    beforeLine.run();
    console.print(line);
  }

  /** The first line: peers may connect from now on. */
  void listening(Address address) {
    String message = "listening on " + address;
    print(
        json
            ? Json.text(
                Json.object(
                    "event",
                    "listening",
                    "message",
                    message,
                    "host",
                    address.host(),
                    "port",
                    address.port() == Address.UNIX ? null : address.port()))
            : message);
  }

  /**
   * An array was received and, unless it is to be discarded, written.
   *
   * @param already how many of its elements were here before
   * @param withoutFile where it is if not in a file
   */
  void received(
      long number,
      Connection connection,
      ReceivedArray array,
      NpyHeader header,
      long already,
      long nanos,
      @Nullable Path file,
      String withoutFile) {
    String peer = Address.text(connection.remoteAddress());
    long bytes = header.count() * array.type().bytes();
    long before = already * array.type().bytes();
    double rate = Units.megabytesPerSecond(bytes - before, nanos);
    Receipt receipt = array.receipt();
    Double ratio = ratio(bytes - before, receipt.wireBytes());
    // Otherwise there would be no file.
    boolean verified =
        file != null && array.header().attributes().metadata().containsKey(ElementDigest.KEY);
    if (!json) {
      print(
          String.format(
              "array %d from %s: %s %s, %d bytes%s%s in %s, %s MB/s%s%s",
              number,
              peer,
              array.type().typeName(),
              Units.shape(header.shape()),
              bytes,
              wereHere(before),
              // Otherwise headers are all that makes a difference.
              ratio == null || ratio <= 1 ? "" : onTheWire(ratio, receipt.wireBytes()),
              Units.time(nanos),
              Units.significant(rate),
              verified ? ", verified" : "",
              file == null ? ", " + withoutFile : " -> " + file));
      return;
    }
    print(
        Json.text(
            Json.object(
                "event",
                "array",
                "number",
                number,
                "peer",
                peer,
                "type",
                array.type().typeName(),
                "elements",
                header.count(),
                "shape",
                header.shape(),
                "bytes",
                bytes,
                "resumedBytes",
                before,
                "seconds",
                nanos / 1e9,
                "megabytesPerSecond",
                rate,
                "wireBytes",
                known(receipt.wireBytes()),
                "ratio",
                ratio,
                "copiedBytes",
                known(receipt.copiedBytes()),
                "channelOperations",
                known(receipt.channelOperations()),
                "verified",
                verified,
                "file",
                file)));
  }

  /** An array was put straight into a file. */
  void stored(ReceivedFile file, ReceiveTechnique technique) {
    String peer = Address.text(file.peer());
    String type = file.header().dtype().type().typeName();
    double rate = Units.megabytesPerSecond(file.bytes(), file.nanos());
    if (!json) {
      print(
          String.format(
              "array 1 from %s: %s %s, %s, %d bytes in %s, %s MB/s -> %s",
              peer,
              type,
              Units.shape(file.header().shape()),
              file.header().dtype().descr(),
              file.bytes(),
              Units.time(file.nanos()),
              Units.significant(rate),
              file.path()));
      return;
    }
    print(
        Json.text(
            Json.object(
                "event",
                "array",
                "number",
                1,
                "peer",
                peer,
                "type",
                type,
                "dtype",
                file.header().dtype().descr(),
                "elements",
                file.header().count(),
                "shape",
                file.header().shape(),
                "bytes",
                file.bytes(),
                "seconds",
                file.nanos() / 1e9,
                "megabytesPerSecond",
                rate,
                "technique",
                technique,
                "channelOperations",
                known(file.operations()),
                "file",
                file.path())));
  }

  /** An array or a connection failed, and others go on. */
  static void failed(Console console, SocketAddress peer, Throwable cause) {
    Throwable reason = Complaints.reason(cause);
    console.print(
        Json.text(
            Json.object(
                "event",
                "connectionFailed",
                "peer",
                Address.text(peer),
                "code",
                reason instanceof ArraywireException arraywire ? arraywire.code() : null,
                "message",
                Complaints.words(cause))));
  }

  /** Bytes of elements for each that passed; null where that is not known, or nothing passed. */
  static @Nullable Double ratio(long bytes, long wireBytes) {
    return wireBytes == Receipt.UNKNOWN || wireBytes == 0 ? null : (double) bytes / wireBytes;
  }

  /** What passed, in words; the receipt of an array that was compressed knows it. */
  static String onTheWire(@Nullable Double ratio, long wireBytes) {
    return ratio == null
        ? ""
        : " (" + wireBytes + " on the wire, ratio " + Units.significant(ratio) + ")";
  }

  /** How many bytes did not have to come, in words. */
  static String wereHere(long bytes) {
    return bytes == 0 ? "" : " (" + bytes + " were there)";
  }

  /** A counter of a receipt, or null where it is not known. */
  static @Nullable Long known(long counter) {
    return counter == Receipt.UNKNOWN ? null : counter;
  }
}
