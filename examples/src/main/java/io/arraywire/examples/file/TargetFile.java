package io.arraywire.examples.file;

import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file that appears whole or not at all, and never in place of another: the bytes go to a hidden
 * file beside it, which then takes its name. A {@code .npy} file, if its name ends so; else nothing
 * but elements. For one thread, but for {@link #remove()}.
 */
public final class TargetFile implements Closeable {
  private final Path path;
  private final Path part;
  private @Nullable FileChannel channel;

  private TargetFile(Path path) {
    this.path = path;
    part = NpyWriter.partOf(path);
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
    file.checkFree();
    // Found out now, before anybody sends.
    file.open();
    file.close();
    return file;
  }

  private void checkFree() throws IOException {
    if (Files.exists(path)) {
      throw new IOException(
          "the file exists already; remove it, or give another name (file=" + path + ")");
    }
  }

  private FileChannel open() throws IOException {
    Files.deleteIfExists(part);
    FileChannel opened =
        FileChannel.open(
            part, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    channel = opened;
    return opened;
  }

  /**
   * Begins the file anew.
   *
   * @param header type, byte order and shape of what comes
   * @return the file, at the place of the first element
   * @throws IOException if it cannot be written, or there is no room for it
   */
  FileChannel begin(NpyHeader header) throws IOException {
    long bytes = header.count() * header.dtype().type().bytes();
    FileChannel opened = open();
    long usable = Files.getFileStore(part).getUsableSpace();
    if (usable < bytes) {
      throw new IOException(
          "no room for the array on the disk; make room, or give another directory (file="
              + path
              + ", bytes="
              + bytes
              + ", usableBytes="
              + usable
              + ")");
    }
    if (path.toString().endsWith(".npy")) {
      ByteBuffer before = NpyWriter.headerBytes(header);
      FileBytes.write(opened, before, 0);
      opened.position(before.limit());
    }
    return opened;
  }

  /** Gives the file its name. */
  void finish() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
    checkFree();
    Files.move(part, path);
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
   * Removes what is not finished and leaves it to whoever is writing to notice. Any thread.
   *
   * @throws IOException if it cannot be removed
   */
  public void remove() throws IOException {
    Files.deleteIfExists(part);
  }

  /** Ends, and removes what is not finished. */
  @Override
  public void close() throws IOException {
    if (channel != null) {
      channel.close();
      channel = null;
    }
    remove();
  }
}
