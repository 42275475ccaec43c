package io.arraywire.examples.demo;

import io.arraywire.ElementType;
import io.arraywire.Receipt;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves one array from a sender JVM to a receiver JVM with every codec on every transport, in
 * rounds. All contenders run once, then all again, so that what disturbs the machine for a while
 * disturbs them alike. Connections stay open. The receiver puts each array into the same memory,
 * which is overwritten before. The digest of what arrived is taken after the clock has stopped.
 */
public final class Demo {
  /** Beside the array: classes, staging memory of some transports, the reader of the file. */
  private static final long MORE_HEAP = 160L << 20;

  private static final long MORE_THAN_ENCODED = 1 << 10;

  private final DemoSettings settings;
  private final NpyHeader header;
  private final List<Contender> contenders;

  /**
   * Plans a demo.
   *
   * @param settings what to do
   * @param header of the file that is sent
   */
  public Demo(DemoSettings settings, NpyHeader header) {
    this.settings = settings;
    this.header = header;
    ElementType type = header.dtype().type();
    contenders =
        Contender.all(
            type,
            elements(settings.bytes(), type),
            elements(Math.min(settings.bytes(), settings.elementwiseBytes()), type));
  }

  private static int elements(long bytes, ElementType type) {
    return Math.toIntExact(Math.max(1, bytes / type.bytes()));
  }

  /**
   * In how many ways each array is sent.
   *
   * @return pairs of a codec and a transport
   */
  public int ways() {
    return contenders.size();
  }

  /**
   * How often {@link #run} reports progress.
   *
   * @return the number of transfers
   */
  public int transfers() {
    return contenders.size() * (settings.warmups() + settings.rounds());
  }

  /**
   * Runs the demo.
   *
   * @param log where the children's standard error goes, or null for nowhere
   * @param progress told of each transfer
   * @return a measurement for each contender
   * @throws IOException if a child or a transfer fails
   */
  public DemoResult run(@Nullable PrintStream log, IntConsumer progress) throws IOException {
    ElementType type = header.dtype().type();
    int most = contenders.stream().mapToInt(Contender::count).max().orElse(1);
    long arrayBytes = (long) most * type.bytes();
    // The sender reads the whole file before it repeats or cuts it.
    long senderHeap = arrayBytes + header.count() * type.bytes() + arrayBytes / 2 + MORE_HEAP;
    long receiverHeap = arrayBytes + arrayBytes / 2 + MORE_HEAP;
    try (ChildJvm receiver = ChildJvm.start("receiver", ReceiverProcess.class, receiverHeap, log);
        ChildJvm sender = ChildJvm.start("sender", SenderProcess.class, senderHeap, log)) {
      receiver.ask("allocate", type.typeName(), most);
      sender.ask("load", settings.file(), most);
      connect(receiver, sender);
      Map<Integer, String> digests = digests(sender);
      List<Measurement> measurements = new ArrayList<>();
      for (Contender each : contenders) {
        measurements.add(
            new Measurement(each, each.codec().encoding().encodedBytes(type, each.count())));
      }
      for (int round = -settings.warmups(); round < settings.rounds(); round++) {
        for (int id = 0; id < contenders.size(); id++) {
          transfer(receiver, sender, id, round < 0, digests, measurements.get(id));
          progress.accept(1);
        }
      }
      return new DemoResult(settings, header, measurements);
    }
  }

  private void connect(ChildJvm receiver, ChildJvm sender) throws IOException {
    for (int id = 0; id < contenders.size(); id++) {
      Contender each = contenders.get(id);
      long limit =
          each.codec().encoding().encodedBytes(header.dtype().type(), each.count())
              + MORE_THAN_ENCODED;
      String port = receiver.ask("listen", id, each.transport(), each.codec().name(), limit)[0];
      sender.ask("connect", id, each.transport(), each.codec().name(), limit, port);
    }
  }

  private Map<Integer, String> digests(ChildJvm sender) throws IOException {
    Map<Integer, String> digests = new HashMap<>();
    for (Contender each : contenders) {
      if (!digests.containsKey(each.count())) {
        digests.put(each.count(), sender.ask("digest", each.count())[0]);
      }
    }
    return digests;
  }

  private void transfer(
      ChildJvm receiver,
      ChildJvm sender,
      int id,
      boolean warmup,
      Map<Integer, String> digests,
      Measurement measurement)
      throws IOException {
    Contender contender = contenders.get(id);
    try {
      receiver.tell("receive", id, contender.count(), !warmup);
      receiver.expect("armed");
      String[] sent = sender.ask("send", id, contender.count());
      String[] received = receiver.answer();
      if (!warmup) {
        Receipt sendReceipt = ReceiptWords.parse(sent[1]);
        Receipt receiveReceipt = ReceiptWords.parse(received[0]);
        boolean same = received[1].equals(digests.get(contender.count()));
        measurement.add(Long.parseLong(sent[0]), sendReceipt, receiveReceipt, same);
      }
    } catch (IOException e) {
      throw new IOException(contender.label() + ": " + e.getMessage(), e);
    }
  }
}
