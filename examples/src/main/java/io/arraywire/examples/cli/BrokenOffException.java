package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import java.io.IOException;

/** A connection ended inside files that stay as far as they came; the cause says why. */
final class BrokenOffException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param kept what stays, in words
   * @param cause why the connection ended
   */
  BrokenOffException(String kept, ArraywireException cause) {
    super(kept, cause);
  }
}
