package io.arraywire.engine;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.source.ArraySource;

/** A source of elements could not be read. Unchecked: it passes through what writes frames. */
final class SourceFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ArraySource source;
  private final Throwable reason;

  SourceFailure(ArraySource source, Throwable reason) {
    super(reason);
    this.source = source;
    this.reason = reason;
  }

  /** What the sender is told. */
  ArraywireException typed() {
    return new ArraywireException(
            ErrorCode.SOURCE_FAILED,
            "the elements could not be read from their source; nothing of the array is delivered",
            "source",
            source,
            "cause",
            reason)
        .because(reason);
  }
}
