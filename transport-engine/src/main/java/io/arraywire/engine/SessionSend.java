package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.source.ArraySource;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One array that a session has accepted, over whatever connections it goes. The array stays the
 * session's until it is done. Written under the session's lock, but for its futures.
 */
final class SessionSend {
  final ArraySource source;
  final SendOptions options;
  final long sequence;

  /** Whether a thread waits for it, which gives it up itself where nothing moves. */
  final boolean awaited;

  /** Completes once, with the receipt or a typed failure. */
  final CompletableFuture<Receipt> done = new CompletableFuture<>();

  /** Completes when its first byte is about to leave for the first time. */
  final CompletableFuture<Void> begun = new CompletableFuture<>();

  /** What carries it over the present connection, if anything does. */
  volatile @Nullable OutboundArray transfer;

  /** The connection that it was last handed to, and when. */
  @Nullable ConnectionCore over;

  long submittedAt;

  /** Whether a part of it had left over an earlier connection, so that all of it may have. */
  boolean mayHaveArrived;

  SessionSend(ArraySource source, SendOptions options, long sequence, boolean awaited) {
    this.awaited = awaited;
    this.source = source;
    this.options = options;
    this.sequence = sequence;
  }

  /** What it takes up of the limit for what waits. */
  long bytes() {
    return source.bytes() + FrameLayout.ARRAY_COST;
  }

  /** The session has ended. Without its lock. */
  void lost(ArraywireException cause) {
    OutboundArray sent = transfer;
    ConnectionCore last = over;
    if (sent != null && last != null) {
      var unused = last.outbound.withdraw(sent);
    }
    done.completeExceptionally(
        begun.isDone()
            ? new DeliveryUnknownException(
                    "the session ended before the far side acknowledged the array; it was delivered"
                        + " once or not at all",
                    "sessionSequence",
                    sequence,
                    "cause",
                    String.valueOf(cause.getMessage()))
                .because(cause)
            : cause.forCaller());
  }
}
