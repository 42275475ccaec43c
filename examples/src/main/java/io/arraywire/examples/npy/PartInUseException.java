package io.arraywire.examples.npy;

import java.io.IOException;
import java.nio.file.Path;

/** Another writer has a part that is kept; it is free when that writer has ended. */
public final class PartInUseException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param path where the part is kept
   */
  public PartInUseException(Path path) {
    super("another writer has the part; try again when it has ended (part=" + path + ")");
  }
}
