package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.wire.FrameLayout;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One array that a session has accepted, over whatever connections it goes. The array stays the
 * session's until it is done. Guarded by the session's lock, but for its futures.
 */
final class SessionSend {
  final ArraySlice slice;
  final SendOptions options;
  final long sequence;

  /** Completes once, with the receipt or a typed failure. */
  final CompletableFuture<Receipt> done = new CompletableFuture<>();

  /** Completes when its first byte is about to leave for the first time. */
  final CompletableFuture<Void> begun = new CompletableFuture<>();

  /** Its passage over the present connection, if there is one. */
  @Nullable OutboundArray transfer;

  /** When that began. */
  long submittedAt;

  @Nullable ProtocolConnection over;

  SessionSend(ArraySlice slice, SendOptions options, long sequence) {
    this.slice = slice;
    this.options = options;
    this.sequence = sequence;
  }

  /** What it takes up of the limit for what waits. */
  long bytes() {
    return slice.bytes() + FrameLayout.ARRAY_COST;
  }
}
