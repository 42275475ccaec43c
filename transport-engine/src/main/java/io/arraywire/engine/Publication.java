package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Delivery;
import io.arraywire.Encoding;
import io.arraywire.PublishReceipt;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.SubscribeBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** One array for the subscribers of a subject. The publishing thread's alone. */
final class Publication implements AutoCloseable {
  /** A subscriber without room that is waited for. */
  private record Waiting(
      PeerScope connection, OutboundArray transfer, CompletableFuture<Void> accepted) {}

  private final EngineContext context;
  final ArraySource source;

  /** What is published; the table of a message says how the publisher wants it encoded. */
  private final SendOptions options;

  /** The array in each encoding in use; blocks are made of plain elements, later. */
  private final Map<Encoding, SharedMemory> copies = new HashMap<>(2);

  private final List<Waiting> waiting = new ArrayList<>();
  int subscribers;
  int queued;
  int dropped;
  int disconnected;
  private int timedOut;

  /** Whether there may be several subscribers. */
  private final boolean toSeveral;

  private Publication(
      EngineContext context, ArraySource source, SendOptions options, boolean toSeveral) {
    this.context = context;
    this.toSeveral = toSeveral;
    this.source = source;
    this.options = options;
  }

  /** Checks what is to be published; returns how. */
  static SendOptions checked(
      EngineContext context, String subject, ArraySource source, ArrayAttributes attributes) {
    SubscribeBody.checked(subject);
    SendChecks.checkParts(source, attributes);
    if (!attributes.shapeHolds(source.count())) {
      throw new IllegalArgumentException(SendChecks.shapeDoesNotFit(attributes, source));
    }
    // What does not fit is the caller's to change, before anybody has the array.
    byte[] unused = AttributesBody.write(ArrayEnvelope.publication(attributes, Long.MAX_VALUE));
    SendOptions options = new SendOptions(attributes, Delivery.HANDED_OFF);
    return attributes.parts() == null
        ? options
        : MessageEncodings.encoded(context.encoders(), source, options);
  }

  /** Sends a checked array to the subscribers. */
  static PublishReceipt publish(
      EngineContext context, List<Subscriber> all, ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    ArraySource opened = OpenedSource.of(source);
    try (Publication publication = new Publication(context, opened, options, all.size() > 1)) {
      for (Subscriber each : all) {
        publication.offer(each);
      }
      publication.endOffering();
      publication.awaitRoom();
      return publication.receipt();
    }
  }

  void offer(Subscriber subscriber) throws ArraywireException {
    PeerScope connection = subscriber.subscriptions.connection();
    Agreement agreed = connection.agreement();
    SendCodecs codecs = connection.codecs();
    // What this peer does not decode of a message goes to it raw, in the same order.
    SendOptions to =
        options.attributes().parts() == null ? options : MessageEncodings.lenient(codecs, options);
    ArrayAttributes attributes = to.attributes();
    // No message goes to a peer without a raw encoding, also where all its parts are in blocks.
    if ((attributes.parts() != null && !codecs.hasRaw())
        || !codecs.isReadable(source.type(), attributes, agreed.elementTypes())) {
      subscriber.subscriptions.skip(subscriber, this);
      return;
    }
    Codec codec = connection.sender().checkedCodec(subscriber.channel, source, to);
    long bytes = checkedBytes(codec);
    if (bytes > agreed.maxSendBytes() || !connection.sender().hasRoomFor(attributes)) {
      subscriber.subscriptions.skip(subscriber, this);
      return;
    }
    Encoding encoding = Blocks.plain(codec).encoding();
    SharedMemory copy = copies.get(encoding);
    if (copy == null) {
      copy = SharedMemory.encode(codec, source, context.pool(), context.budget(), toSeveral);
      copies.put(encoding, copy);
    }
    subscriber.subscriptions.offer(subscriber, this, to, codec, copy);
    // That there was no room may be the last thing that happens on it for long.
    connection.events().flush();
  }

  private long checkedBytes(Codec codec) throws ArrayTooLargeException {
    boolean fits = source.count() <= ArrayDirect.MOST_ELEMENTS;
    long bytes =
        fits ? codec.encoding().encodedBytes(source.type(), (int) source.count()) : source.bytes();
    if (bytes > ArrayDirect.MOST_ELEMENTS) {
      throw new ArrayTooLargeException(
          "the array is too large to be published; publish parts of it",
          "bytes",
          bytes,
          "limit",
          ArrayDirect.MOST_ELEMENTS);
    }
    return bytes;
  }

  /** A subscriber has no room; the transfer is in line for some. */
  void waits(PeerScope connection, OutboundArray transfer, CompletableFuture<Void> accepted) {
    waiting.add(new Waiting(connection, transfer, accepted));
  }

  /**
   * Waits until all have room, for no longer than a send may wait to begin, and not on an event
   * loop.
   */
  void awaitRoom() throws InterruptedException {
    long nanos = LoopTurn.isRunning() ? 0 : SystemDeadlines.nanos(context.options().sendTimeout());
    long start = context.runtime().nanoTime();
    while (!waiting.isEmpty()) {
      Waiting next = waiting.get(waiting.size() - 1);
      try {
        var unused =
            context
                .runtime()
                .await(
                    CompletableFuture.anyOf(next.accepted, next.transfer.done.stage()),
                    nanos - (context.runtime().nanoTime() - start));
        queued++;
      } catch (TimeoutException e) {
        if (next.connection.sender().withdrawUnlessBegun(next.transfer)) {
          timedOut++;
        } else {
          queued++;
        }
      } catch (ExecutionException e) {
        // The subscription or its connection has ended meanwhile.
        subscribers--;
      }
      waiting.remove(waiting.size() - 1);
    }
  }

  PublishReceipt receipt() {
    return new PublishReceipt(subscribers, queued, dropped, timedOut, disconnected, copies.size());
  }

  /** No further subscriber gets it, so no blocks are kept for one. */
  private void endOffering() {
    copies.values().forEach(SharedMemory::endOffering);
  }

  /** Takes back what still waits, and leaves the copies to those that send them. */
  @Override
  public void close() {
    for (Waiting each : waiting) {
      if (!each.accepted.isDone()) {
        boolean unused = each.connection.sender().withdrawUnlessBegun(each.transfer);
      }
    }
    // An offer may have thrown, and those that have the array go on.
    endOffering();
    copies.values().forEach(SharedMemory::release);
    OpenedSource.close(source);
  }
}
