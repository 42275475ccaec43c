package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** There is no room on the disk for an array; there may be for another, or later. */
public final class FullDiskException extends IOException {
  private static final long serialVersionUID = 1;

  /** How systems begin to say that a disk or a share of it is full. */
  private static final Pattern NO_ROOM =
      Pattern.compile("(?i)no space|disk quota|there is not enough space|(the )?disk is full");

  private final String wordsForPeer;

  /** The disk has less room than the array takes. */
  FullDiskException(Path file, long bytes, long usable) {
    this("no room for the array on the disk", file, "bytes=" + bytes + ", usableBytes=" + usable);
  }

  /** The disk was full before the array was whole. */
  FullDiskException(Path file, long bytes, IOException cause) {
    this("no room for the array on the disk: " + words(cause), file, "bytes=" + bytes);
    initCause(cause);
  }

  private FullDiskException(String what, Path file, String facts) {
    super(what + "; make room, or give another directory (file=" + file + ", " + facts + ")");
    wordsForPeer = what + " (" + facts + ")";
  }

  /** What the sender is told, who need not know which files there are here. */
  String wordsForPeer() {
    return wordsForPeer;
  }

  /** Whether the system said that a disk is full. */
  static boolean isSaidBy(IOException failed) {
    return NO_ROOM.matcher(words(failed)).lookingAt();
  }

  /** What the system said, without the path, in which anything may stand. */
  private static String words(IOException failed) {
    return String.valueOf(
        failed instanceof FileSystemException named ? named.getReason() : failed.getMessage());
  }
}
