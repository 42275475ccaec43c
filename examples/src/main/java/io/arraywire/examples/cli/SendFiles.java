package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.Delivery;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.file.FileSender;
import io.arraywire.examples.file.SendTechnique;
import java.io.IOException;
import java.util.List;

/** Sends files past the heap, by one of the techniques. */
final class SendFiles {
  /** Enough for the next array to be under way while the last one is acknowledged. */
  private static final int MOST_UNDER_WAY = 4;

  private final Address to;
  private final int repeat;
  private final long maxBytes;
  private final SendTechnique technique;
  private final SendReport report;

  SendFiles(Address to, int repeat, long maxBytes, SendTechnique technique, SendReport report) {
    this.to = to;
    this.repeat = repeat;
    this.maxBytes = maxBytes;
    this.technique = technique;
    this.report = report;
  }

  void run(List<ArrayFile> files, ProgressMeter meter) throws IOException {
    try (FileSender sender = FileSender.connect(to.resolve())) {
      try (ProgressMeter progress = meter) {
        for (int i = 0; i < files.size(); i++) {
          send(sender, files.get(i), progress, i == files.size() - 1);
        }
      } catch (IOException e) {
        // A file that cannot be sent is no reason to leave the peer without a word.
        if (!sender.isBroken()) {
          goodbye(sender);
        }
        throw e;
      }
      goodbye(sender);
    }
  }

  private void send(FileSender sender, ArrayFile file, ProgressMeter progress, boolean last)
      throws IOException {
    long wireBytes = sender.wireBytes();
    long operations = sender.operations();
    long start = System.nanoTime();
    long sequence = 0;
    for (int i = 0; i < repeat; i++) {
      sequence = sender.send(file, technique, maxBytes, progress::step);
      // Else the acknowledgements would fill the way back.
      sender.awaitAcknowledged(Math.max(0, sequence - MOST_UNDER_WAY));
    }
    sender.awaitAcknowledged(sequence);
    long nanos = System.nanoTime() - start;
    SendTotals totals = new SendTotals();
    totals.add(
        sender.wireBytes() - wireBytes,
        technique.copies(sender.checksums()) * file.bytes() * repeat,
        sender.operations() - operations);
    progress.makeWay(last);
    report.sent(file, to, repeat, nanos, totals, Delivery.PROCESSED, technique.toString());
  }

  /** All was acknowledged, and a receiver that has what it wanted may well be gone by now. */
  private static void goodbye(FileSender sender) {
    try {
      sender.goodbye();
    } catch (ArraywireException e) {
      // Nothing is lost by it.
    }
  }
}
