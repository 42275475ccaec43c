package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import java.io.IOException;

/** An array is refused for what its sender says of its file; others go on. */
final class RefusedNameException extends IOException {
  private static final long serialVersionUID = 1;

  private final String reason;
  private final String name;

  RefusedNameException(String reason, String name) {
    super(reason + " (name=" + name + ")");
    this.reason = reason;
    this.name = name;
  }

  /** The exception for the sender. */
  ArraywireException forPeer() {
    return ArraywireException.refusal(reason, "name", name);
  }
}
