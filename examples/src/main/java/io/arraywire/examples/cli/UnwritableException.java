package io.arraywire.examples.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * A file or directory that was asked for cannot be written to. What the system says names a hidden
 * file, or none at all; this says which one, how much it was to hold, and what to do.
 */
final class UnwritableException extends IOException {
  private static final long serialVersionUID = 1;

  /** How systems say that a disk or a share of it is full. */
  private static final Pattern NO_ROOM = Pattern.compile("(?i)space|quota");

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
   * @param usable the bytes that the disk had room for before, or {@link ArrayStore#UNKNOWN}
   * @param cause what the system says
   */
  UnwritableException(Path file, long bytes, long usable, IOException cause) {
    super(
        text("the array was not written", cause)
            + " (file="
            + file
            + ", "
            + room(bytes, usable)
            + ")",
        cause);
    wordsForPeers = text("the array was not written", cause) + " (" + room(bytes, usable) + ")";
  }

  private static String room(long bytes, long usable) {
    return "bytes=" + bytes + (usable == ArrayStore.UNKNOWN ? "" : ", usableBytes=" + usable);
  }

  /** The exception for the sender, which need not know the files of this host. */
  IOException forPeer() {
    return new IOException(wordsForPeers, this);
  }

  /** Whether there was no room: another array may have some, or this one later. */
  boolean isForWantOfRoom() {
    return getCause() instanceof IOException cause
        && NO_ROOM.matcher(Complaints.reason(cause)).find();
  }

  private static String text(String what, IOException cause) {
    String advice;
    if (cause instanceof NoSuchFileException) {
      advice = "make the directory, or give another place";
    } else if (cause instanceof AccessDeniedException) {
      advice = "allow it, or give another place";
    } else if (NO_ROOM.matcher(Complaints.reason(cause)).find()) {
      advice = "make room for it, or give another place";
    } else {
      advice = "give another place";
    }
    return what + ": " + Complaints.reason(cause) + "; " + advice;
  }
}
