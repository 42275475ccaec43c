package io.arraywire.examples.npy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The hidden file beside a file, or on its disk, which holds its bytes until they are whole and
 * then takes its name. Each has a name of its own. So two writers of one file, in one process or in
 * two, never write into the same bytes. For one thread, but for {@link #remove()}.
 *
 * <p>A part that is {@linkplain #kept kept} stays when it is closed, so that a later writer goes on
 * with it. That may be in a later process, so its name follows from that of the file.
 */
public final class PartFile implements Closeable {
  private static final String SUFFIX = ".part";

  private final FileChannel channel;
  private volatile Path path;
  private volatile boolean kept;

  /** Where a part that has settled was kept; null if it never was. */
  private volatile @Nullable Path home;

  /** Whether the hidden name is no longer this part's. */
  private volatile boolean gone;

  private PartFile(Path path, FileChannel channel, boolean kept) {
    this.path = path;
    this.channel = channel;
    this.kept = kept;
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
      Path path = hidden(file, random());
      try {
        return new PartFile(
            path,
            FileChannel.open(
                path,
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE),
            false);
      } catch (FileAlreadyExistsException e) {
        // Another writer's, or left by one that was killed: the next name is free.
      }
    }
  }

  private static Path hidden(Path file, int number) {
    return file.resolveSibling(
        "." + file.getFileName() + "." + String.format("%08x", number) + SUFFIX);
  }

  /** The first bit is set, which tells these names from those of kept parts. */
  private static int random() {
    return ThreadLocalRandom.current().nextInt() | 1 << 31;
  }

  /**
   * Where what has come of a file is kept.
   *
   * @param file a file in the directory of the part
   * @param identity tells the file from others of the same name whose parts are in that directory
   * @return the path, never one of a part that {@link #of} makes
   */
  public static Path keptPath(Path file, String identity) {
    CRC32C hash = new CRC32C();
    hash.update(identity.getBytes(StandardCharsets.UTF_8));
    return hidden(file, (int) hash.getValue() & Integer.MAX_VALUE);
  }

  /**
   * Opens a part that stays when it is closed. Other processes cannot open it meanwhile; within
   * this process, the caller sees to that.
   *
   * @param path made by {@link #keptPath}
   * @param make whether to make it if it is not there
   * @return the part with what is in it, to be closed by the caller; null if there is none, or the
   *     file system knows no locks
   * @throws PartInUseException if another process has it
   * @throws IOException if it cannot be opened
   */
  public static @Nullable PartFile kept(Path path, boolean make) throws IOException {
    return kept(path, make, FileChannel::tryLock);
  }

  /** How a file is locked. */
  interface Locking {
    /** The lock; null if another process has it. Fails where the file system knows none. */
    @Nullable FileLock lock(FileChannel channel) throws IOException;
  }

  static @Nullable PartFile kept(Path path, boolean make, Locking locking) throws IOException {
    boolean there = Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    if (!there && !make) {
      return null;
    }
    Set<OpenOption> options =
        Set.of(
            there ? LinkOption.NOFOLLOW_LINKS : StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE);
    boolean opened = false;
    FileChannel channel = null;
    try {
      Object before = there ? key(path) : null;
      channel = FileChannel.open(path, options);
      Object now = there ? before : key(path);
      if (!isLocked(path, channel, locking)) {
        if (!there) {
          // Nobody can keep anything in it, and nobody else has it: others cannot lock it either.
          Files.deleteIfExists(path);
        }
        return null;
      }
      // Between opening and locking, another process may have finished it: then it is a file.
      if (!Objects.equals(now, key(path))) {
        throw new PartInUseException(path);
      }
      opened = true;
      return new PartFile(path, channel, true);
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
        // A link or a directory, which is no part.
        return null;
      }
      throw new PartInUseException(path);
    } catch (NoSuchFileException e) {
      if (there) {
        // Another process has just finished it.
        throw new PartInUseException(path);
      }
      throw e;
    } finally {
      if (channel != null && !opened) {
        channel.close();
      }
    }
  }

  /** What tells a file from others, whatever its name is by then. */
  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
        .fileKey();
  }

  /** Locks a part; returns false if the file system knows no locks. */
  private static boolean isLocked(Path path, FileChannel channel, Locking locking)
      throws PartInUseException {
    FileLock lock = null;
    try {
      lock = locking.lock(channel);
    } catch (OverlappingFileLockException e) {
      // Another thread of this process has it.
    } catch (IOException e) {
      return false;
    }
    if (lock == null) {
      throw new PartInUseException(path);
    }
    return true;
  }

  /**
   * Whether it stays when it is closed.
   *
   * @return true until it is discarded or has become a file
   */
  public boolean isKept() {
    return !gone && (kept || home != null);
  }

  /**
   * Removes the part if it is kept or was, while it is locked: afterwards its name may be that of
   * another part. One that was never kept is removed when it is closed.
   *
   * @throws IOException if it cannot be removed
   */
  public void discard() throws IOException {
    if (isKept()) {
      Files.deleteIfExists(path);
      gone = true;
      kept = false;
    }
  }

  /**
   * Ends the keeping: the part takes a hidden name of its own, while it is locked. So no other
   * process goes on with what is about to be a file. If it does not become one, it goes back to
   * where it was.
   *
   * @throws IOException if that is not possible
   */
  public void settle() throws IOException {
    if (!kept) {
      return;
    }
    String name = path.getFileName().toString();
    Path own;
    do {
      own =
          path.resolveSibling(
              name.substring(0, name.length() - "00000000".length() - SUFFIX.length())
                  + String.format("%08x", random())
                  + SUFFIX);
    } while (Files.exists(own, LinkOption.NOFOLLOW_LINKS));
    home = path;
    Files.move(path, own, StandardCopyOption.ATOMIC_MOVE);
    path = own;
    kept = false;
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
    settle();
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
    gone = true;
    try {
      Files.deleteIfExists(path);
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
   * Removes the part, unless it is kept, or was before it {@linkplain #settle settled}; a thread
   * that still writes notices by itself. Any thread.
   *
   * @throws IOException if it cannot be removed
   */
  public void remove() throws IOException {
    if (kept || gone) {
      return;
    }
    Path back = home;
    if (back != null) {
      goBack(back);
      gone = true;
    } else {
      Files.deleteIfExists(path);
    }
  }

  /** Never in place of what another process has begun there meanwhile. */
  private void goBack(Path back) throws IOException {
    try {
      Files.createLink(back, path);
    } catch (FileAlreadyExistsException e) {
      // That one is gone on with.
    } catch (NoSuchFileException e) {
      // Somebody has removed it.
      return;
    } catch (IOException | UnsupportedOperationException e) {
      // Where the file system knows no links. Fails if something is there.
      Files.move(path, back);
      return;
    }
    Files.deleteIfExists(path);
  }

  /**
   * Closes the channel. A part that has not become a file is removed if it is empty or was never
   * kept. One that has settled goes back to where it was kept.
   */
  @Override
  public void close() throws IOException {
    try {
      if (kept && channel.isOpen() && channel.size() == 0) {
        discard();
      }
    } finally {
      try {
        channel.close();
      } finally {
        remove();
      }
    }
  }
}
