package io.arraywire.examples.cli;

import io.arraywire.examples.file.ArrayFile;
import org.jspecify.annotations.Nullable;

/**
 * What a receiver has not of a file.
 *
 * @param file the elements to send; all of them, if the receiver has the whole file
 * @param already how many elements of the file the receiver has before these
 * @param isThere whether the receiver has the whole file, so that nothing is to be sent
 * @param stamp of the file before it was compared; null if nothing of it was
 */
record Remainder(ArrayFile file, long already, boolean isThere, @Nullable FileStamp stamp) {

  /** All of a file. */
  static Remainder all(ArrayFile file) {
    return new Remainder(file, 0, false, null);
  }

  /** What the receiver has. */
  long alreadyBytes() {
    return already * file.type().bytes();
  }
}
