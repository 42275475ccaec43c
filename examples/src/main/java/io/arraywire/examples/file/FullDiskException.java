package io.arraywire.examples.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** There is no room on the disk for an array; there may be for another, or later. */
public final class FullDiskException extends IOException {
  private static final long serialVersionUID = 1;

  /** How systems begin to say that a disk or a share of it is full. */
  private static final Pattern NO_ROOM =
      Pattern.compile("(?i)no space|disk quota|there is not enough space|(the )?disk is full");

  private final String facts;
  private final boolean kept;

  /**
   * Makes a failure.
   *
   * @param file the file that the array was to become
   * @param bytes the bytes of the array's elements
   * @param usable the bytes that the disk had room for before, or less than 0 if that is not known
   * @param cause what the system says, or null if it was not tried
   * @param kept whether what has come of the array stays, so that its sender can go on
   */
  public FullDiskException(
      Path file, long bytes, long usable, @Nullable IOException cause, boolean kept) {
    this(file, "bytes=" + bytes + (usable < 0 ? "" : ", usableBytes=" + usable), cause, kept);
  }

  private FullDiskException(Path file, String facts, @Nullable IOException cause, boolean kept) {
    super(
        "the disk"
            + isFull(kept)
            + "; make room, or give another place (file="
            + file
            + ", disk="
            + disk(file)
            + ", "
            + facts
            + (cause == null ? "" : ", cause=" + words(cause))
            + ")",
        cause);
    this.facts = facts;
    this.kept = kept;
  }

  private static String isFull(boolean kept) {
    return kept
        ? " is full; what has come of the array is kept"
        : " is full; nothing of the array was kept";
  }

  /**
   * What the sender is told. It need not know which files there are here.
   *
   * @return a sentence with its facts
   */
  public String wordsForPeer() {
    return "the receiver's disk" + isFull(kept) + " (" + facts + ")";
  }

  /**
   * Whether the system said that a disk is full.
   *
   * @param failed a failure to write
   * @return true for a disk, or for somebody's share of one
   */
  public static boolean isSaidBy(IOException failed) {
    return NO_ROOM.matcher(words(failed)).lookingAt();
  }

  /** What the system calls the disk, such as {@code /data (ext4)}. */
  private static String disk(Path file) {
    try {
      Path directory = file.toAbsolutePath().getParent();
      while (directory != null && !Files.isDirectory(directory)) {
        // It is made when the file is whole.
        directory = directory.getParent();
      }
      return Files.getFileStore(directory == null ? file : directory).toString();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** What the system said, without the path, in which anything may stand. */
  private static String words(IOException failed) {
    return String.valueOf(
        failed instanceof FileSystemException named ? named.getReason() : failed.getMessage());
  }
}
