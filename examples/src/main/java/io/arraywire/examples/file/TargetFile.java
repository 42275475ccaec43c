package io.arraywire.examples.file;

import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A file that appears whole or not at all, and never in place of another. Several may be received
 * for it at the same time, each into a {@linkplain PartFile hidden file} of its own beside it. The
 * first that is whole takes its name. A {@code .npy} file, if its name ends so; else nothing but
 * elements. Any thread.
 */
public final class TargetFile implements Closeable {
  private final Path path;

  // Guarded by this; so is the making and removing of their files.
  private final Set<PartFile> parts = new HashSet<>();
  private boolean closed;

  private TargetFile(Path path) {
    this.path = path;
  }

  /**
   * A file that is not there yet.
   *
   * @param path the file
   * @return the file, of which nothing is written yet
   * @throws IOException if it is there, or cannot be written there
   */
  public static TargetFile of(Path path) throws IOException {
    TargetFile file = new TargetFile(path);
    if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw file.exists();
    }
    // Found out now, before anybody sends.
    PartFile.of(path).close();
    return file;
  }

  private IOException exists() {
    return new IOException(
        "the file exists already; remove it, or give another name (file=" + path + ")");
  }

  /**
   * Begins to write it.
   *
   * @param header type, byte order and shape of what comes
   * @return its bytes, at the place of the first element; to be given to {@link #end}
   * @throws FullDiskException if there is no room for it
   * @throws IOException if it cannot be written, or this is closed
   */
  PartFile begin(NpyHeader header) throws IOException {
    long bytes = header.count() * header.dtype().type().bytes();
    PartFile part = add();
    try {
      start(part, path, header, 0);
      return part;
    } catch (IOException e) {
      end(part);
      throw e instanceof FullDiskException ? e : failed(bytes, e);
    } catch (RuntimeException e) {
      end(part);
      throw e;
    }
  }

  /**
   * Prepares a hidden file for elements: checks that there is room for them, and writes what comes
   * before them.
   *
   * @param part the hidden file, whose position is then that of the first element
   * @param file what it is to become: a {@code .npy} file, if its name ends so
   * @param header type, byte order and shape of all of it
   * @param already how many elements are in the part and stay; whatever else is there goes
   * @throws FullDiskException if there is no room for the others
   * @throws IOException if it cannot be written
   */
  public static void start(PartFile part, Path file, NpyHeader header, long already)
      throws IOException {
    int width = header.dtype().type().bytes();
    ByteBuffer before =
        file.toString().endsWith(".npy") ? NpyWriter.headerBytes(header) : ByteBuffer.allocate(0);
    long position = before.limit() + already * width;
    part.channel().truncate(already == 0 ? 0 : position);
    long bytes = (header.count() - already) * width;
    long usable = part.usableBytes();
    if (usable < bytes) {
      throw new FullDiskException(file, bytes, usable, null, already > 0);
    }
    FileBytes.write(part.channel(), before, 0);
    part.channel().position(position);
  }

  /** A failure to write, as one that says so where the disk is full. */
  IOException failed(long bytes, IOException failed) {
    return FullDiskException.isSaidBy(failed)
        ? new FullDiskException(path, bytes, -1, failed, false)
        : failed;
  }

  private synchronized PartFile add() throws IOException {
    checkOpen();
    PartFile part = PartFile.of(path);
    parts.add(part);
    return part;
  }

  private void checkOpen() throws IOException {
    if (closed) {
      throw new IOException("nothing is received for the file any more (file=" + path + ")");
    }
  }

  /** Gives the file its name, unless parts were removed: the process may end at any moment then. */
  synchronized void finish(PartFile part) throws IOException {
    checkOpen();
    try {
      part.becomeNew(path);
    } catch (FileAlreadyExistsException e) {
      throw exists();
    }
  }

  /** Ends what was begun, and removes it if it is not finished. */
  synchronized void end(PartFile part) throws IOException {
    parts.remove(part);
    part.close();
  }

  /**
   * The file.
   *
   * @return where it is, or will be
   */
  public Path path() {
    return path;
  }

  /**
   * Removes unfinished files; the threads that write them notice by themselves. Nothing more can be
   * begun.
   *
   * @throws IOException if it cannot be removed
   */
  public synchronized void remove() throws IOException {
    closed = true;
    for (PartFile part : parts) {
      part.remove();
    }
  }

  /** Removes unfinished files; nothing more can be begun, and no part is left afterwards. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    for (PartFile part : List.copyOf(parts)) {
      end(part);
    }
  }
}
