package io.arraywire.examples.cli;

import io.arraywire.examples.file.FullDiskException;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * An array that is being written to its hidden file.
 *
 * @param asked the file that it is to become; with another number, if that is taken meanwhile
 * @param name its name, if its sender has chosen it
 * @param part the hidden file
 * @param bytes the bytes of its elements, those that were there before included
 * @param usable the room that the disk had for it
 * @param kept where it stays if it does not come whole, or null if it is removed then
 */
record Writing(
    Path asked,
    @Nullable TravelName name,
    PartFile part,
    long bytes,
    long usable,
    @Nullable Path kept) {

  /** A failure to write it, as one that says what to do. */
  IOException failed(IOException failed) {
    return failed instanceof FullDiskException
        ? failed
        : failed(asked, bytes, usable, failed, part.isKept());
  }

  /** The same of one that was not begun. */
  static IOException failed(
      Path asked, long bytes, long usable, IOException failed, boolean isKept) {
    return FullDiskException.isSaidBy(failed)
        ? new FullDiskException(asked, bytes, usable, failed, isKept)
        : new UnwritableException(asked, bytes, failed);
  }

  /**
   * Reads what was written, as a reader of the file will.
   *
   * @throws RefusedNameException if it is not what was sent; then nothing of it stays
   */
  void verify(String sha256) throws IOException {
    FileChannel channel = part.channel();
    String found = ElementDigest.of(channel, channel.size() - bytes, bytes, 1, false);
    if (!found.equals(sha256)) {
      part.discard();
      throw new RefusedNameException(
          "the file that was written is not the one that was sent; nothing of it was kept",
          asked.getFileName().toString());
    }
  }
}
