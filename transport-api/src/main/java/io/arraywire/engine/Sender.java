package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.Delivery;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.SendQueueFullException;
import io.arraywire.SendTimeoutException;
import io.arraywire.TransportOptions;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What callers do with arrays that are to be sent: they hand them in, wait for them, and take them
 * back. {@link Outbound} does the rest. Any thread.
 */
final class Sender {
  private final ConnectionCore connection;
  private final ReentrantLock lock;
  private final Outbound outbound;

  /** The peer's own limit; negative where it is not known. Guarded by the lock. */
  private long peerMaxArrayBytes = -1;

  Sender(ConnectionCore connection, ReentrantLock lock, Outbound outbound) {
    this.connection = connection;
    this.lock = lock;
    this.outbound = outbound;
  }

  /** What the peer takes. Under the lock. */
  void agreed(long peersMaxArrayBytes) {
    peerMaxArrayBytes = peersMaxArrayBytes;
  }

  private Link link() {
    return connection.link;
  }

  private TransportOptions options() {
    return connection.context.options();
  }

  // Handing in.

  Receipt send(OutboundChannel channel, ArraySlice slice, SendOptions sendOptions)
      throws ArraywireException, InterruptedException {
    OutboundArray transfer = transfer(channel, slice, sendOptions);
    long start = sendOptions.timeout() == null ? 0 : System.nanoTime();
    Link link = link();
    boolean helps = link.beginHelp();
    try {
      acceptInTurn(transfer);
      connection.watch.flush();
      link.help(transfer.done);
    } finally {
      if (helps) {
        link.endHelp(transfer.done);
      }
    }
    Duration timeout = sendOptions.timeout();
    if (timeout != null) {
      awaitWithin(transfer, timeout, SystemDeadlines.nanos(timeout) - (System.nanoTime() - start));
    } else if (!transfer.done.isDone()) {
      awaitBegun(transfer);
      awaitFramed(transfer);
    }
    Receipt receipt;
    try {
      receipt = transfer.done.get();
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw(transfer)) {
        throw e;
      }
      return Interruptible.afterInterrupt(transfer.done);
    }
    if (!transfer.isWithdrawn()) {
      outbound.giveBack(transfer);
    }
    return receipt;
  }

  CompletionStage<Receipt> sendAsync(
      OutboundChannel channel, ArraySlice slice, SendOptions sendOptions) {
    SendChecks.checkNoTimeout(sendOptions);
    CompletableFuture<Receipt> result = new HelpedStage<>(link(), connection.context.completions());
    try {
      OutboundArray transfer = transfer(channel, slice, sendOptions);
      transfer.passedTo = result;
      boolean alone;
      lock.lock();
      try {
        connection.checkCanSend();
        if (!outbound.accept(channel, transfer)) {
          throw new SendQueueFullException(
              "too much waits to be sent; wait for some of it, or use send, which waits",
              "bytes",
              transfer.encodedBytes,
              "queuedBytes",
              channel.queuedBytes,
              "sendQueueBytes",
              options().sendQueueBytes(),
              "leftOfMemoryBudget",
              connection.context.budget().leftInWords(),
              "channel",
              channel.id);
        }
        alone = outbound.isAlone();
      } finally {
        lock.unlock();
      }
      // Where the peer is about to acknowledge something else, that has somebody come by.
      connection.wakeWriter(!alone);
    } catch (ArraywireException e) {
      result.completeExceptionally(e);
    }
    connection.watch.flush();
    // Not a minimal stage: that would wrap the typed failure for whoever depends on it.
    return result;
  }

  OfferStatus offer(OutboundChannel channel, ArraySlice slice, SendOptions sendOptions)
      throws ArrayTooLargeException, AllocationFailedException {
    SendChecks.checkNoTimeout(sendOptions);
    SendOptions handedOff =
        sendOptions.delivery() == Delivery.HANDED_OFF
            ? sendOptions
            : new SendOptions(sendOptions.attributes(), Delivery.HANDED_OFF);
    long bytes = checkedBytes(slice, handedOff);
    byte[] attributes = AttributesBody.write(handedOff.attributes());
    long queueBytes = OutboundArray.queueBytes(bytes, attributes);
    if (queueBytes > options().sendQueueBytes()) {
      throw new ArrayTooLargeException(
          "an array that would never fit the queue cannot be offered; send it, or raise sendQueueBytes",
          "bytes",
          bytes,
          "sendQueueBytes",
          options().sendQueueBytes());
    }
    OutboundArray transfer = null;
    lock.lock();
    try {
      if (connection.refusesArrays()) {
        return OfferStatus.CLOSED;
      }
      if (outbound.mayAccept(channel, queueBytes)) {
        transfer = transfer(channel, slice, handedOff, attributes, bytes);
      }
    } finally {
      lock.unlock();
    }
    if (transfer == null) {
      connection.watch.flush();
      return OfferStatus.BACK_PRESSURED;
    }
    transfer.isUnwatched = true;
    // Not under the lock, and so perhaps in vain.
    try {
      transfer.copy(connection.codec(), connection.context.pool());
    } catch (OutOfMemoryError e) {
      outbound.giveBack(transfer);
      throw Failures.noMemoryToOffer(bytes, channel.queuedBytes, e);
    } catch (RuntimeException | Error e) {
      outbound.giveBack(transfer);
      throw new IllegalStateException(Failures.codecFailed(connection.codec(), e).getMessage(), e);
    }
    OfferStatus status;
    boolean alone;
    lock.lock();
    try {
      if (connection.refusesArrays()) {
        status = OfferStatus.CLOSED;
      } else {
        status =
            outbound.accept(channel, transfer) ? OfferStatus.ACCEPTED : OfferStatus.BACK_PRESSURED;
      }
      alone = outbound.isAlone();
    } finally {
      lock.unlock();
    }
    if (status == OfferStatus.ACCEPTED) {
      connection.wakeWriter(!alone);
    } else {
      outbound.giveBack(transfer);
    }
    connection.watch.flush();
    return status;
  }

  /** Sends an array of the session, in the order of the calls. */
  OutboundArray submit(int channel, ArraySlice slice, ArrayAttributes attributes, long sequence)
      throws ArraywireException {
    OutboundArray transfer =
        transfer(
            connection.channels.checked(channel).out,
            slice,
            new SendOptions(attributes, Delivery.PROCESSED),
            ArrayEnvelope.of(attributes).inSession(sequence));
    acceptInTurn(transfer);
    return transfer;
  }

  /** How an array goes out if the caller does not say. */
  SendOptions asyncDefaults() {
    return options().plainType() == null ? SendOptions.processed() : SendOptions.handedOff();
  }

  /** Accepts an array now, or as soon as there is room for it. */
  private void acceptInTurn(OutboundArray transfer) throws ArraywireException {
    lock.lock();
    try {
      connection.checkCanSend();
      outbound.acceptInTurn(transfer.channel, transfer);
    } finally {
      lock.unlock();
    }
    link().wakeWriter();
  }

  // Checks, and what is made of an array.

  /** Checks what can be checked before an array is accepted for a session. */
  void checkSendable(ArraySlice slice, SendOptions sendOptions) throws ArrayTooLargeException {
    Objects.requireNonNull(sendOptions, "options");
    var unused =
        transfer(
            connection.channels.main().out,
            slice,
            new SendOptions(sendOptions.attributes(), Delivery.PROCESSED),
            ArrayEnvelope.of(sendOptions.attributes()).inSession(Long.MAX_VALUE));
  }

  private OutboundArray transfer(OutboundChannel channel, ArraySlice slice, SendOptions sendOptions)
      throws ArrayTooLargeException {
    Objects.requireNonNull(sendOptions, "options");
    SendChecks.checkNoSession(sendOptions, options());
    return transfer(channel, slice, sendOptions, ArrayEnvelope.of(sendOptions.attributes()));
  }

  /** What brings an array out; it is not accepted yet. */
  OutboundArray transfer(
      OutboundChannel channel, ArraySlice slice, SendOptions sendOptions, ArrayEnvelope envelope)
      throws ArrayTooLargeException {
    long bytes = checkedBytes(slice, sendOptions);
    return transfer(channel, slice, sendOptions, AttributesBody.write(envelope), bytes);
  }

  private OutboundArray transfer(
      OutboundChannel channel,
      ArraySlice slice,
      SendOptions sendOptions,
      byte[] attributes,
      long bytes) {
    OutboundArray transfer = outbound.transfer(channel, slice, sendOptions, attributes, bytes);
    if (connection.watch.timesSends()) {
      transfer.acceptedAt = System.nanoTime() | 1;
    }
    return transfer;
  }

  /** Checks what can be checked before a byte is sent; returns how many bytes the elements make. */
  private long checkedBytes(ArraySlice slice, SendOptions sendOptions)
      throws ArrayTooLargeException {
    Objects.requireNonNull(slice, "slice");
    Agreement agreed = connection.agreement();
    Codec codec = connection.codec();
    SendChecks.checkAgreed(slice, sendOptions, agreed);
    long bytes = codec.encoding().encodedBytes(slice.type(), slice.length());
    if (bytes > agreed.maxSendBytes()) {
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
    lock.lock();
    try {
      return peerMaxArrayBytes < 0 ? "unknown" : peerMaxArrayBytes;
    } finally {
      lock.unlock();
    }
  }

  // Waiting.

  /** Waits for the outcome no longer than the caller wants to; then takes the array back. */
  private void awaitWithin(OutboundArray transfer, Duration timeout, long nanos)
      throws ArraywireException, InterruptedException {
    try {
      var unused = transfer.done.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      OutboundArray.Progress progress = takeBack(transfer);
      // In plain mode it is the withdrawal that ends the connection, and with it the transfer.
      if (progress != OutboundArray.Progress.PARTLY_FRAMED && transfer.done.isDone()) {
        return;
      }
      if (progress == OutboundArray.Progress.FRAMED) {
        throw Failures.notAcknowledged(timeout, transfer.channel.id, link().remoteAddress());
      }
      ArraywireException late =
          new SendTimeoutException(
              "the array could not leave whole in time, and is withdrawn: the peer takes too little, or"
                  + " others are before it",
              "timeout",
              timeout,
              "begun",
              progress != OutboundArray.Progress.NOT_BEGUN,
              "channel",
              transfer.channel.id,
              "peer",
              link().remoteAddress());
      throw late.describing(connection.describe());
    } catch (ExecutionException e) {
      throw Failures.of(e);
    } catch (InterruptedException e) {
      if (withdraw(transfer)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the first byte is about to leave, for no longer than a send may wait for that. */
  private void awaitBegun(OutboundArray transfer) throws ArraywireException, InterruptedException {
    try {
      boolean inTime =
          transfer.done.await(transfer.hasBegun, SystemDeadlines.nanos(options().sendTimeout()));
      SendStall stall = inTime ? SendStall.TURN : stall(transfer.channel);
      if (!inTime && withdrawUnlessBegun(transfer)) {
        ArraywireException late =
            new SendTimeoutException(
                "the array could not begin to leave in time; it waited for "
                    + stall.awaited
                    + ": "
                    + stall.cause,
                "sendTimeout",
                options().sendTimeout(),
                "channel",
                transfer.channel.id,
                "peer",
                link().remoteAddress());
        throw late.describing(connection.describe());
      }
    } catch (InterruptedException e) {
      if (withdraw(transfer)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until the last byte is about to leave, for as long as something moves now and then. */
  private void awaitFramed(OutboundArray transfer) throws ArraywireException, InterruptedException {
    try {
      long slice = SendProgress.sliceNanos(options().sendTimeout());
      long seen = -1;
      int still = 0;
      while (!transfer.done.isDone() && !transfer.hasFramed()) {
        if (transfer.done.await(null, slice)) {
          return;
        }
        long progress = transfer.progress();
        still = progress == seen ? still + 1 : 0;
        seen = progress;
        if (still == SendProgress.SLICES) {
          giveUp(transfer);
        }
      }
    } catch (InterruptedException e) {
      if (withdraw(transfer)) {
        throw e;
      }
      Thread.currentThread().interrupt();
    }
  }

  /** Takes an array back that makes no progress, unless it is whole on its way by now. */
  private void giveUp(OutboundArray transfer) throws ArraywireException {
    SendStall stall = stall(transfer.channel);
    OutboundArray.Progress progress = takeBack(transfer);
    if (progress == OutboundArray.Progress.FRAMED) {
      return;
    }
    throw new SendTimeoutException(
            "the array made no progress for sendTimeout and is withdrawn; it waited for "
                + stall.awaited
                + ": "
                + stall.cause,
            "sendTimeout",
            options().sendTimeout(),
            "begun",
            true,
            "channel",
            transfer.channel.id,
            "peer",
            link().remoteAddress())
        .describing(connection.describe());
  }

  /** What holds up the arrays of a channel. */
  SendStall stall(OutboundChannel channel) {
    lock.lock();
    try {
      return outbound.stall(channel);
    } finally {
      lock.unlock();
    }
  }

  // Taking back.

  /** Takes back an array of which no frame is made; returns whether that was so. */
  boolean withdrawUnlessBegun(OutboundArray transfer) {
    boolean withdrawn = transfer.withdrawUnlessBegun();
    if (withdrawn) {
      forget(transfer);
    }
    return withdrawn;
  }

  /**
   * Takes an array back for a caller that was interrupted; returns whether it was not sent whole.
   */
  boolean withdraw(OutboundArray transfer) {
    // Where every byte had left the array before, it will arrive, but the caller no longer waits.
    return takeBack(transfer) != OutboundArray.Progress.FRAMED || !transfer.done.isDone();
  }

  /** Takes an array back for a caller that no longer waits; returns how far it had got. */
  private OutboundArray.Progress takeBack(OutboundArray transfer) {
    OutboundArray.Progress progress = transfer.withdraw();
    if (progress == OutboundArray.Progress.FRAMED) {
      return progress;
    }
    if (progress == OutboundArray.Progress.NOT_BEGUN) {
      forget(transfer);
    } else {
      lock.lock();
      try {
        outbound.withdrawn(transfer);
      } finally {
        lock.unlock();
      }
    }
    if (progress == OutboundArray.Progress.PARTLY_FRAMED && options().plainType() != null) {
      connection.fail(
          new ConnectionClosedException(
              "the connection was closed here: a sender gave up inside an array, which plain mode"
                  + " cannot withdraw"),
          false);
    } else {
      link().wakeWriter();
    }
    return progress;
  }

  /** Forgets an array that was withdrawn before there was a frame of it. */
  private void forget(OutboundArray transfer) {
    lock.lock();
    try {
      outbound.remove(transfer);
    } finally {
      lock.unlock();
    }
    // Not under the lock: the writing thread holds the transfer's monitor while it takes the lock.
    transfer.releaseCopy();
    // Others may have their turn, or the goodbye.
    link().wakeWriter();
  }
}
