package io.arraywire.examples.npy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The hidden file beside a file, or on its disk, which holds its bytes until they are whole and
 * then takes its name. Each has a name of its own, so that two writers of one file, in one process
 * or in two, never write into the same bytes. For one thread, but for {@link #remove()}.
 */
public final class PartFile implements Closeable {
  private final Path path;
  private final FileChannel channel;
  private boolean named;

  private PartFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Makes an empty part.
   *
   * @param file the file that it is to become; whether there is one does not matter yet
   * @return the part, to be closed by the caller
   * @throws IOException if none can be made there
   */
  public static PartFile of(Path file) throws IOException {
    while (true) {
      String random = Integer.toHexString(ThreadLocalRandom.current().nextInt() | 1 << 31);
      Path path = file.resolveSibling("." + file.getFileName() + "." + random + ".part");
      try {
        return new PartFile(
            path,
            FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE));
      } catch (FileAlreadyExistsException e) {
        // Another writer's, or left by one that was killed: the next name is free.
      }
    }
  }

  /**
   * The part's bytes.
   *
   * @return a channel, open until this is closed
   */
  public FileChannel channel() {
    return channel;
  }

  /**
   * How much room the disk has.
   *
   * @return bytes
   * @throws IOException if that cannot be found out
   */
  public long usableBytes() throws IOException {
    return Files.getFileStore(path).getUsableSpace();
  }

  /**
   * Takes the name of a file that is not there; of several that try, one does. Closes the channel
   * first, since some file systems say only then that bytes were not written.
   *
   * @param file the file, on the same disk
   * @throws FileAlreadyExistsException if it is there; the part may try another name
   * @throws IOException if that is not possible
   */
  public void becomeNew(Path file) throws IOException {
    channel.close();
    try {
      // Unlike a move, fails if there is one, even if that was made a moment ago.
      Files.createLink(file, path);
    } catch (FileAlreadyExistsException | NoSuchFileException e) {
      // Also where the part was removed: nothing may claim the name for it.
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      becomeNewWithoutLinks(file);
    }
    named = true;
    try {
      remove();
    } catch (IOException e) {
      // The file is whole and has its name. Its hidden name stays, too.
    }
  }

  /** Claims the name with an empty file, where the file system knows no links. */
  private void becomeNewWithoutLinks(Path file) throws IOException {
    Files.createFile(file);
    try {
      move(file);
    } catch (IOException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  /**
   * Takes the name of a file, in place of one that is there.
   *
   * @param file the file, in the same directory
   * @throws IOException if that is not possible
   */
  public void replace(Path file) throws IOException {
    move(file);
    close();
  }

  private void move(Path file) throws IOException {
    channel.close();
    try {
      Files.move(path, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(path, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Removes the part; a thread that still writes notices by itself. Any thread.
   *
   * @throws IOException if it cannot be removed
   */
  public void remove() throws IOException {
    Files.deleteIfExists(path);
  }

  /** Closes the channel and removes the part, if it has not become a file. */
  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      if (!named) {
        remove();
      }
    }
  }
}
