package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.message.FrameAttributes;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What callers do with arrays that are to be sent: they check them and hand them in. {@link
 * SendWait} has what they do afterwards, {@link Outbound} the rest. Any thread.
 */
final class Sender {
  /** What a thread that handed in nothing waits for. */
  private static final Future<?> NOTHING = CompletableFuture.completedFuture(null);

  private final Outbound outbound;

  /** The peer's own limit; negative where it is not known. Guarded by the connection's lock. */
  private long peerMaxArrayBytes = -1;

  Sender(Outbound outbound) {
    this.outbound = outbound;
  }

  /** What the peer takes. Under the lock. */
  void agreed(long peersMaxArrayBytes) {
    peerMaxArrayBytes = peersMaxArrayBytes;
  }

  /** Whether the attributes of a published array can leave. */
  boolean hasRoomFor(ArrayAttributes attributes) {
    int bytes = FrameAttributes.bytes(attributes) + AttributesBody.NUMBER_BYTES;
    return bytes <= outbound.credit.mostAttributeBytes();
  }

  /** The attributes of an array leave with its first elements, for which there is credit. */
  private byte[] checked(byte[] attributes) throws ArrayTooLargeException {
    long limit = outbound.credit.mostAttributeBytes();
    if (attributes.length > limit) {
      throw new ArrayTooLargeException(
          "names, shapes and metadata are larger than the peer receives at once; shorten them, or"
              + " raise inboxBytes on its side",
          "bytes",
          attributes.length,
          "limit",
          limit);
    }
    return attributes;
  }

  private OutboundScope scope() {
    return outbound.scope;
  }

  private TransportOptions options() {
    return scope().context().options();
  }

  // Handing in.

  Receipt send(OutboundChannel channel, ArraySource source, SendOptions sendOptions)
      throws ArraywireException, InterruptedException {
    LoopTurn.checkMayWait("send");
    SendOptions encoded = encoded(channel, source, sendOptions);
    Codec codec = checkedCodec(channel, source, encoded);
    long bytes = checkedBytes(codec, source);
    byte[] attributes = attributes(channel, encoded);
    ArraySource opened = OpenedSource.of(source);
    long start = sendOptions.timeout() == null ? 0 : System.nanoTime();
    Link link = scope().link();
    OutboundArray array = null;
    boolean helps = link.beginHelp();
    try {
      array = handIn(channel, opened, codec, encoded, attributes, bytes, false);
      scope().events().flush();
      link.help(array.done);
    } finally {
      if (helps) {
        link.endHelp(array == null ? NOTHING : array.done);
      }
    }
    Receipt receipt = SendWait.await(outbound, array, start);
    if (!array.isWithdrawn()) {
      outbound.giveBack(array);
    }
    return receipt;
  }

  /** Accepts an array now, or as soon as there is room for it. */
  private OutboundArray handIn(
      OutboundChannel channel,
      ArraySource source,
      Codec codec,
      SendOptions sendOptions,
      byte[] attributes,
      long bytes,
      boolean timed)
      throws ArraywireException {
    OutboundArray array = null;
    ReentrantLock lock = scope().lock();
    lock.lock();
    try {
      scope().checkCanSend();
      array = outbound.array(channel, source, codec, sendOptions, attributes, bytes);
      array.timed = timed;
      outbound.acceptInTurn(array);
    } finally {
      lock.unlock();
      if (array == null) {
        OpenedSource.close(source);
      }
    }
    scope().link().wakeWriter();
    return array;
  }

  CompletionStage<Receipt> sendAsync(
      OutboundChannel channel, ArraySource source, SendOptions sendOptions) {
    SendChecks.checkNoTimeout(sendOptions);
    CompletableFuture<Receipt> result = new HelpedStage<>(scope(), scope().context().completions());
    try {
      SendOptions encoded = encoded(channel, source, sendOptions);
      Codec codec = checkedCodec(channel, source, encoded);
      long bytes = checkedBytes(codec, source);
      byte[] attributes = attributes(channel, encoded);
      ArraySource opened = OpenedSource.of(source);
      boolean alone;
      boolean accepted = false;
      ReentrantLock lock = scope().lock();
      lock.lock();
      try {
        scope().checkCanSend();
        OutboundArray array = outbound.array(channel, opened, codec, encoded, attributes, bytes);
        array.passedTo = result;
        array.timed = true;
        outbound.hold(array);
        if (!outbound.accept(array)) {
          outbound.giveBackHeld(array);
          throw new NoRoomException(
              ErrorCode.SEND_QUEUE_FULL,
              "too much waits to be sent; wait for some of it, or use send, which waits",
              "bytes",
              bytes,
              "queuedBytes",
              channel.queuedBytes,
              "sendQueueBytes",
              options().sendQueueBytes(),
              "leftOfMemoryBudget",
              scope().context().budget().leftInWords(),
              "channel",
              channel.id);
        }
        accepted = true;
        alone = outbound.isAlone();
      } finally {
        lock.unlock();
        if (!accepted) {
          OpenedSource.close(opened);
        }
      }
      wakeWriter(alone);
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
    }
    scope().events().flush();
    // Not a minimal stage: that would wrap the typed failure for dependent stages.
    return result;
  }

  private void wakeWriter(boolean alone) {
    if (alone) {
      scope().link().wakeWriter();
    } else {
      // Where the peer is about to acknowledge something else, that has somebody come by.
      scope().link().wakeWriterSoon();
    }
  }

  OfferStatus offer(OutboundChannel channel, ArraySource source, SendOptions sendOptions)
      throws ArrayTooLargeException, NoRoomException {
    SendChecks.checkNoTimeout(sendOptions);
    SendOptions encoded = encoded(channel, source, sendOptions);
    SendOptions handedOff =
        encoded.delivery() == Delivery.HANDED_OFF ? encoded : encoded.delivery(Delivery.HANDED_OFF);
    Codec codec = checkedCodec(channel, source, handedOff);
    long bytes = checkedBytes(codec, source);
    byte[] attributes = checked(channel.bytesOf(handedOff.attributes()));
    long queueBytes = OutboundArray.queueBytes(bytes, attributes);
    if (queueBytes > options().sendQueueBytes()) {
      throw new ArrayTooLargeException(
          "an array that would never fit the queue cannot be offered; send it, or raise sendQueueBytes",
          "bytes",
          bytes,
          "sendQueueBytes",
          options().sendQueueBytes());
    }
    OutboundArray array = null;
    ReentrantLock lock = scope().lock();
    lock.lock();
    try {
      if (scope().refusesArrays()) {
        return OfferStatus.CLOSED;
      }
      if (outbound.queue.mayAccept(channel, queueBytes)) {
        array = outbound.array(channel, source, codec, handedOff, attributes, bytes);
      }
    } finally {
      lock.unlock();
    }
    if (array == null) {
      scope().events().flush();
      return OfferStatus.BACK_PRESSURED;
    }
    array.isUnwatched = true;
    // Not under the lock, and so perhaps in vain.
    try {
      array.source = OpenedSource.of(source);
      array.copy(scope().context().pool());
      OpenedSource.close(array.source);
    } catch (ArraywireException e) {
      outbound.giveBack(array);
      throw new IllegalStateException(e.getMessage(), e);
    } catch (SourceFailure e) {
      outbound.giveBack(array);
      throw new IllegalStateException(e.typed().getMessage(), e);
    } catch (OutOfMemoryError e) {
      outbound.giveBack(array);
      throw Failures.noMemoryToOffer(bytes, channel.queuedBytes, e);
    } catch (RuntimeException | Error e) {
      outbound.giveBack(array);
      throw new IllegalStateException(Failures.codecFailed(codec, e).getMessage(), e);
    }
    OfferStatus status;
    boolean alone;
    lock.lock();
    try {
      if (scope().refusesArrays()) {
        status = OfferStatus.CLOSED;
      } else {
        status = outbound.accept(array) ? OfferStatus.ACCEPTED : OfferStatus.BACK_PRESSURED;
      }
      alone = outbound.isAlone();
    } finally {
      lock.unlock();
    }
    if (status == OfferStatus.ACCEPTED) {
      wakeWriter(alone);
    } else {
      outbound.giveBack(array);
    }
    scope().events().flush();
    return status;
  }

  /**
   * Sends an array of the session, in the order of the calls.
   *
   * @param timed whether it fails where nothing moves
   */
  OutboundArray submit(
      OutboundChannel channel,
      ArraySource source,
      SendOptions options,
      long sequence,
      boolean timed)
      throws ArraywireException {
    // Over another connection than the one that it was accepted for, perhaps.
    SendCodecs codecs = outbound.arrays().codecs();
    SendOptions sendOptions =
        options.attributes().parts() == null
            ? codecs.lenient(source.type(), ofSession(options))
            : PartChoice.chosen(
                outbound.arrays(),
                channel,
                source,
                MessageEncodings.lenient(codecs, source, ofSession(options)));
    Codec codec = checkedCodec(channel, source, sendOptions);
    ArrayEnvelope envelope = ArrayEnvelope.of(sendOptions.attributes()).inSession(sequence);
    byte[] attributes = checked(AttributesBody.write(envelope));
    long bytes = checkedBytes(codec, source);
    return handIn(channel, OpenedSource.of(source), codec, sendOptions, attributes, bytes, timed);
  }

  // Checks, and what is made of an array.

  /** Checks what can be checked before an array is accepted for a session. */
  void checkSendable(ArraySource source, SendOptions sendOptions) throws ArrayTooLargeException {
    SendOptions encoded = encoded(source, ofSession(sendOptions));
    long unused = checkedBytes(agreedCodec(source, encoded), source);
    ArrayEnvelope envelope = ArrayEnvelope.of(encoded.attributes()).inSession(Long.MAX_VALUE);
    byte[] unusedToo = checked(AttributesBody.write(envelope));
  }

  /** What a connection that carries a session does with its array. */
  private static SendOptions ofSession(SendOptions options) {
    Objects.requireNonNull(options, "options");
    return new SendOptions(options.attributes(), Delivery.PROCESSED, null, options.codec());
  }

  private byte[] attributes(OutboundChannel channel, SendOptions sendOptions)
      throws ArrayTooLargeException {
    SendChecks.checkNoSession(sendOptions, options());
    return checked(channel.bytesOf(sendOptions.attributes()));
  }

  /** What brings an array out; it is not accepted yet. Under the lock; sources are opened. */
  OutboundArray array(
      OutboundChannel channel, ArraySource source, SendOptions sendOptions, ArrayEnvelope envelope)
      throws ArrayTooLargeException {
    SendOptions encoded = encoded(channel, source, sendOptions);
    Codec codec = checkedCodec(channel, source, encoded);
    boolean isMessage = encoded.attributes().parts() != null;
    ArrayEnvelope said = isMessage ? envelope.with(encoded.attributes()) : envelope;
    return array(channel, source, codec, encoded, said);
  }

  /** The same, encoded with what {@link #checkedCodec} gave. */
  OutboundArray array(
      OutboundChannel channel,
      ArraySource source,
      Codec codec,
      SendOptions sendOptions,
      ArrayEnvelope envelope)
      throws ArrayTooLargeException {
    long bytes = checkedBytes(codec, source);
    return outbound.array(
        channel, source, codec, sendOptions, checked(AttributesBody.write(envelope)), bytes);
  }

  /** The same options for an array; those of a message say how each of its parts is encoded. */
  private SendOptions encoded(ArraySource source, SendOptions sendOptions) {
    Objects.requireNonNull(sendOptions, "options");
    Objects.requireNonNull(source, "source");
    return sendOptions.attributes().parts() == null
        ? sendOptions
        : encodedParts(source, sendOptions);
  }

  private SendOptions encodedParts(ArraySource source, SendOptions sendOptions) {
    return scope().agreement().plain()
        ? sendOptions
        : MessageEncodings.encoded(outbound.arrays().codecs(), source, sendOptions);
  }

  /** The same after the connection has chosen for parts that nobody names a codec for. */
  private SendOptions encoded(
      OutboundChannel channel, ArraySource source, SendOptions sendOptions) {
    SendOptions encoded = encoded(source, sendOptions);
    return encoded.attributes().parts() == null
        ? encoded
        : PartChoice.chosen(outbound.arrays(), channel, source, encoded);
  }

  /** Checks what was agreed before a byte is sent; returns what the array is encoded with. */
  Codec checkedCodec(OutboundChannel channel, ArraySource source, SendOptions sendOptions) {
    Codec codec = agreedCodec(source, sendOptions);
    BlockChoice choice = outbound.arrays().choice();
    if (choice == null
        || sendOptions.codec() != null
        || sendOptions.attributes().parts() != null
        || source.count() > ArrayDirect.MOST_ELEMENTS
        || !codec.encoding().hasPlainElements()) {
      return codec;
    }
    Codec chosen = choice.codec(BlockElements.figures(channel.id), source.type(), source.bytes());
    return chosen == null ? codec : chosen;
  }

  private Codec agreedCodec(ArraySource source, SendOptions sendOptions) {
    ArrayWriter arrays = outbound.arrays();
    SendCodecs codecs = arrays.codecs();
    SendChecks.checkAgreed(source, sendOptions, scope().agreement(), codecs);
    arrays.check(sendOptions);
    if (sendOptions.attributes().parts() != null) {
      return MessageEncodings.codec(codecs, source, sendOptions);
    }
    Codec codec = codecs.of(source.type(), sendOptions);
    boolean isLong = source.count() > ArrayDirect.MOST_ELEMENTS && codec.encoding().isInBlocks();
    return isLong && sendOptions.codec() == null ? codecs.plain(source.type(), codec) : codec;
  }

  /** Checks the size; returns how many bytes the elements make. */
  private long checkedBytes(Codec codec, ArraySource source) throws ArrayTooLargeException {
    Agreement agreed = scope().agreement();
    boolean isArray = source.count() <= ArrayDirect.MOST_ELEMENTS;
    long bytes =
        isArray
            ? codec.encoding().encodedBytes(source.type(), (int) source.count())
            : source.bytes();
    if (bytes > agreed.maxSendBytes() || !(isArray || SendChecks.fits(source, codec, agreed))) {
      throw new ArrayTooLargeException(
          "the array is larger than may be sent; raise maxArrayBytes on the side whose limit it is",
          "bytes",
          bytes,
          "here",
          options().maxArrayBytes(),
          "peer",
          peerMaxArrayBytes());
    }
    return bytes;
  }

  private Object peerMaxArrayBytes() {
    ReentrantLock lock = scope().lock();
    lock.lock();
    try {
      return peerMaxArrayBytes < 0 ? "unknown" : peerMaxArrayBytes;
    } finally {
      lock.unlock();
    }
  }

  // Taking back.

  /** Takes back an array of which no frame is planned; returns whether that was so. */
  boolean withdrawUnlessBegun(OutboundArray array) {
    boolean withdrawn = outbound.withdrawUnlessBegun(array);
    if (withdrawn) {
      // Others may have their turn, or the goodbye.
      scope().link().wakeWriter();
    }
    return withdrawn;
  }

  /** Takes an array back for a caller that no longer waits; returns whether it was not done. */
  boolean withdraw(OutboundArray array) {
    // Where every byte had left the array before, it will arrive, but the caller no longer waits.
    return SendWait.takeBack(outbound, array) != OutboundArray.Progress.FRAMED
        || !array.done.isDone();
  }
}
