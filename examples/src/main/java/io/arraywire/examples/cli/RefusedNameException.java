package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.spi.MessageText;
import java.io.IOException;

/** An array is refused for what its sender says of its file; others go on. */
final class RefusedNameException extends IOException {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final String fact;
  private final String value;

  RefusedNameException(String reason, String name) {
    this(reason, "name", name);
  }

  /**
   * Makes one.
   *
   * @param reason why
   * @param fact what the value is
   * @param value what the sender said; it is cut if it is long
   */
  RefusedNameException(String reason, String fact, Object value) {
    super(MessageText.brief(reason, fact, value));
    this.reason = reason;
    this.fact = fact;
    this.value = String.valueOf(value);
  }

  /** The exception for the sender. */
  ArraywireException forPeer() {
    return ArraywireException.refusal(reason, fact, value);
  }
}
