package io.arraywire.engine;

import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionResetException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ErrorCode;
import io.arraywire.SlowPeerException;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** Turns what went wrong below or beside the protocol into typed failures. */
public final class Failures {
  private Failures() {}

  /**
   * The typed failure for an exception of a channel.
   *
   * @param failure what the channel threw
   * @param peer whose connection it is
   * @return itself if it is typed already
   */
  public static ArraywireException ofChannel(IOException failure, SocketAddress peer) {
    if (failure instanceof ArraywireException typed) {
      return typed;
    }
    String text =
        failure instanceof EOFException
            ? "the peer closed the connection while it was written to"
            : "the connection broke";
    return new ConnectionResetException(text, "peer", peer, "cause", failure).because(failure);
  }

  /** The caller no longer waits for the far side to say what became of an array. */
  static DeliveryUnknownException notAcknowledged(
      Duration timeout, int channel, SocketAddress peer) {
    return new DeliveryUnknownException(
        "the far side did not acknowledge the array in time; it was or will be processed once, or not"
            + " at all",
        "timeout",
        timeout,
        "channel",
        channel,
        "peer",
        peer);
  }

  /**
   * The connection ended after an array had left, and before the far side said what became of it.
   */
  static ArraywireException inDoubt(ArraywireException cause) {
    return new DeliveryUnknownException(
            "the connection ended before the far side acknowledged the array; it was processed once or"
                + " not at all",
            "cause",
            String.valueOf(cause.getMessage()))
        .because(cause);
  }

  static SlowPeerException doesNotReadControl(SocketAddress peer) {
    return new SlowPeerException(
        "the peer does not read what it is told of its arrays", "peer", peer);
  }

  static AllocationFailedException noMemoryFor(ArrayHeader header, OutOfMemoryError cause) {
    AllocationFailedException failed =
        new AllocationFailedException(
            "no memory for an arriving array",
            "type",
            header.type().javaName(),
            "count",
            header.count());
    failed.because(cause);
    return failed;
  }

  static AllocationFailedException noMemoryToOffer(
      long bytes, long queuedBytes, OutOfMemoryError cause) {
    AllocationFailedException failed =
        new AllocationFailedException(
            "no memory for a copy of an array that was offered; nothing of it was sent, and"
                + " memoryBudgetBytes keeps queues from growing so far",
            "bytes",
            bytes,
            "queuedBytes",
            queuedBytes);
    failed.because(cause);
    return failed;
  }

  /**
   * The typed failure for a bug of this library, of a codec or of another plug-in.
   *
   * @param failure what was thrown
   * @return itself if it is typed already
   */
  public static ArraywireException ofBug(Throwable failure) {
    if (failure instanceof ArraywireException typed) {
      return typed;
    }
    return new ArraywireException(
            ErrorCode.INTERNAL, "the library or one of its plug-ins failed", "cause", failure)
        .because(failure);
  }

  static ConnectionClosedException closedHere(SocketAddress peer) {
    return new ConnectionClosedException("the connection was closed here", "peer", peer);
  }

  static ConnectionClosedException closedByPeer(SocketAddress peer) {
    return new ConnectionClosedException("the connection was closed by the peer", "peer", peer);
  }

  /** What a waiting caller throws: the failure itself, which is always typed. */
  static ArraywireException of(ExecutionException failure) {
    Throwable cause = failure.getCause();
    return ofBug(cause == null ? failure : cause);
  }
}
