package io.arraywire.examples.file;

import io.arraywire.examples.npy.PartFile;
import java.io.IOException;

/** The one file that several connections may fill: the first that has it whole does. Any thread. */
final class FileSlot {
  private final TargetFile target;
  private boolean taken;

  FileSlot(TargetFile target) {
    this.target = target;
  }

  TargetFile target() {
    return target;
  }

  /** Whether an array has come whole. */
  synchronized boolean isTaken() {
    return taken;
  }

  /**
   * Gives the file its name, unless another array did first.
   *
   * @param part the whole file
   * @return whether it is this one
   * @throws IOException if the name was taken by somebody else, or cannot be given
   */
  synchronized boolean take(PartFile part) throws IOException {
    if (taken) {
      return false;
    }
    target.finish(part);
    taken = true;
    return true;
  }
}
