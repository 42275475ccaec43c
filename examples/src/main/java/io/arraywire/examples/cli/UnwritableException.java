package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.examples.file.FullDiskException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A file or directory that was asked for cannot be written to. What the system says names a hidden
 * file, or none at all. This says which file, how much it was to hold, and what to do.
 */
final class UnwritableException extends IOException {
  private static final long serialVersionUID = 1;

  private static final Pattern NAME_TOO_LONG = Pattern.compile("(?i)name too long");

  /** The message without the file. */
  private final String wordsForPeers;

  /**
   * A place that was tried before anything came.
   *
   * @param asked what {@code --out} or {@code --into} says
   * @param cause what the system says
   */
  UnwritableException(Path asked, IOException cause) {
    super(text("cannot write there", cause) + " (file=" + asked + ")", cause);
    wordsForPeers = text("the receiver cannot write", cause);
  }

  /**
   * An array that was not written.
   *
   * @param file where it was to go
   * @param bytes the bytes of its elements
   * @param cause what the system says
   */
  UnwritableException(Path file, long bytes, IOException cause) {
    super(
        text("the array was not written", cause) + " (file=" + file + ", bytes=" + bytes + ")",
        cause);
    wordsForPeers = text("the array was not written", cause) + " (bytes=" + bytes + ")";
  }

  /** Whether the file system stores shorter names only. */
  boolean isForLongName() {
    return getCause() instanceof FileSystemException failed
        && NAME_TOO_LONG.matcher(String.valueOf(failed.getReason())).find();
  }

  /** The exception for the sender, which need not know the files of this host. */
  ArraywireException forPeer() {
    return ArraywireException.refusal(wordsForPeers);
  }

  private static String text(String what, IOException cause) {
    String advice;
    if (cause instanceof NoSuchFileException) {
      advice = "make the directory, or give another place";
    } else if (cause instanceof AccessDeniedException) {
      advice = "allow it, or give another place";
    } else if (FullDiskException.isSaidBy(cause)) {
      advice = "make room for it, or give another place";
    } else {
      advice = "give another place";
    }
    return what + ": " + Complaints.reason(cause) + "; " + advice;
  }
}
