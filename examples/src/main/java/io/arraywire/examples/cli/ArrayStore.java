package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.examples.file.FullDiskException;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where received arrays go: nowhere, one file, or numbered files in a directory. Any thread.
 *
 * <p>No file is ever overwritten. In a directory numbers go on after the highest that is there, and
 * past those that somebody else takes meanwhile.
 */
final class ArrayStore {
  private static final Pattern NUMBERED = Pattern.compile("array-(\\d{6,9})\\.npy");

  /** What the sender of an array is told whose name is taken. */
  static final String TAKEN = "the receiver has a file of that name";

  /** Stands for a size that could not be found out. */
  static final long UNKNOWN = -1;

  private final @Nullable Path file;
  private final @Nullable Path directory;
  private final long firstNumber;
  private final Set<PartFile> unfinished = new HashSet<>();
  private boolean closed;

  /** Whether unfinished files were removed: the process may end at any moment. */
  private boolean removed;

  /** How many numbers others have taken since this process looked. */
  private volatile long shift;

  /** Standard output, for a pipe. */
  private final @Nullable WritableByteChannel pipe;

  private ArrayStore(@Nullable Path file, @Nullable Path directory, long firstNumber) {
    this(file, directory, firstNumber, null);
  }

  private ArrayStore(
      @Nullable Path file,
      @Nullable Path directory,
      long firstNumber,
      @Nullable WritableByteChannel pipe) {
    this.file = file;
    this.directory = directory;
    this.firstNumber = firstNumber;
    this.pipe = pipe;
  }

  /**
   * A store that writes each array to a pipe, one after the other, as {@code .npy} files.
   *
   * @param pipe takes them
   * @return the store
   */
  static ArrayStore pipe(OutputStream pipe) {
    return new ArrayStore(null, null, 1, Channels.newChannel(pipe));
  }

  /**
   * A store that keeps nothing.
   *
   * @return the store
   */
  static ArrayStore discarding() {
    return new ArrayStore(null, null, 1);
  }

  /**
   * A store at a path, which is checked to be writable now, before anybody sends.
   *
   * @param out a directory, which is made if it is not there; or a file, whose name ends in {@code
   *     .npy}
   * @return the store
   * @throws IOException if it cannot be written to
   */
  static ArrayStore at(Path out) throws IOException {
    if (isFile(out)) {
      if (Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(out);
      }
      try {
        PartFile.of(out).close();
      } catch (IOException e) {
        throw new UnwritableException(out, e);
      }
      return new ArrayStore(out, null, 1);
    }
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new FileAlreadyExistsException(out.toString());
    }
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new UnwritableException(out, e);
    }
    checkWritable(out, out);
    return new ArrayStore(null, out, highestIn(out) + 1);
  }

  /**
   * Whether a path stands for one file.
   *
   * @param out the path
   * @return true if its name ends in {@code .npy} and it is no directory
   */
  static boolean isFile(Path out) {
    return out.toString().endsWith(".npy") && !Files.isDirectory(out);
  }

  private static void checkWritable(Path directory, Path asked) throws UnwritableException {
    try {
      Files.delete(Files.createTempFile(directory, ".arraywire", ".part"));
    } catch (IOException e) {
      // It names a hidden file, which nobody asked for.
      throw new UnwritableException(asked, e);
    }
  }

  private static long highestIn(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(each -> NUMBERED.matcher(each.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
          .max()
          .orElse(0);
    }
  }

  private static IOException exists(Path file) {
    return new IOException(
        "the file exists already; remove it, or give another name (file=" + file + ")");
  }

  /** Where an array that has no file of its own goes, in words. */
  String withoutFile() {
    return pipe == null ? "discarded" : "written to standard output";
  }

  /**
   * Writes an array; when this returns, its file is whole.
   *
   * @param number 1 for the first array of this process, and so on
   * @param header type and shape
   * @param elements the elements
   * @return the file, or null if none is kept
   * @throws IOException if it cannot be written; nothing of it is left
   */
  @Nullable Path write(long number, NpyHeader header, ArraySlice elements) throws IOException {
    return write(number, null, null, header, elements);
  }

  /**
   * As above.
   *
   * @param name the name that the sender gives, which counts in a directory only; or null
   * @param sha256 what the {@linkplain ElementDigest digest} of the elements must be, or null
   * @throws RefusedNameException if there is a file of that name
   */
  @Nullable Path write(
      long number,
      @Nullable TravelName name,
      @Nullable String sha256,
      NpyHeader header,
      ArraySlice elements)
      throws IOException {
    if (pipe != null) {
      writeToPipe(pipe, header, elements);
      return null;
    }
    if (!hasFiles()) {
      return null;
    }
    Writing writing = begin(number, name, elements.bytes());
    try {
      try {
        NpyWriter.write(writing.part, header, elements);
      } catch (IOException e) {
        throw failed(writing, e);
      }
      return finish(writing, number, sha256);
    } finally {
      end(writing);
    }
  }

  /**
   * An array on its way into its hidden file.
   *
   * @param asked the file that it is to become; with another number, if that is taken meanwhile
   * @param name its name, if its sender has chosen it
   * @param part the hidden file
   * @param bytes the bytes of its elements
   * @param usable the room that the disk had for it
   */
  record Writing(Path asked, @Nullable TravelName name, PartFile part, long bytes, long usable) {}

  /**
   * The name that the sender of an array gives its file.
   *
   * @param metadata of the array
   * @return null if it gives none, or names do not matter
   * @throws RefusedNameException if it could be anything but a file below the directory
   */
  @Nullable TravelName nameIn(Map<String, String> metadata) throws RefusedNameException {
    return directory == null ? null : TravelName.parseOrNull(metadata.get(TravelName.KEY));
  }

  /** Whether arrays become files. */
  boolean hasFiles() {
    return file != null || directory != null;
  }

  /**
   * Begins a file. Makes no directories: the array may never come.
   *
   * @param number as in {@link #write}; of no meaning if another array has it in the end
   * @param name as there
   * @param bytes the bytes of its elements
   * @return to be given to {@link #end}
   * @throws RefusedNameException if there is a file of that name
   * @throws IOException if it cannot be written
   */
  Writing begin(long number, @Nullable TravelName name, long bytes) throws IOException {
    Path under = directory;
    TravelName chosen = under == null ? null : name;
    Path asked;
    Path near;
    if (under != null && chosen != null) {
      asked = chosen.in(under);
      near = chosen.near(under);
      if (Files.exists(asked, LinkOption.NOFOLLOW_LINKS)) {
        throw taken(chosen);
      }
    } else {
      asked = file == null ? numbered(firstNumber + number - 1 + shift) : file;
      near = asked;
    }
    PartFile part = part(near, asked, bytes);
    try {
      return new Writing(asked, chosen, part, bytes, part.usableBytes());
    } catch (IOException e) {
      end(part);
      throw failed(asked, bytes, UNKNOWN, e);
    }
  }

  /** A failure to write a file, as one that says what to do. */
  static IOException failed(Writing writing, IOException failed) {
    return failed instanceof FullDiskException
        ? failed
        : failed(writing.asked, writing.bytes, writing.usable, failed);
  }

  private static IOException failed(Path asked, long bytes, long usable, IOException failed) {
    return FullDiskException.isSaidBy(failed)
        ? new FullDiskException(asked, bytes, usable, failed)
        : new UnwritableException(asked, bytes, failed);
  }

  /**
   * Gives a whole file its name.
   *
   * @param number as in {@link #write}
   * @param sha256 as there
   * @return the file
   * @throws IOException if its name is taken, or it is not what was sent
   */
  Path finish(Writing writing, long number, @Nullable String sha256) throws IOException {
    PartFile part = writing.part;
    try {
      if (sha256 != null) {
        verify(part, writing.bytes, sha256, writing.asked);
      }
      // Not while others wait: it may have to write.
      part.channel().close();
    } catch (RefusedNameException e) {
      throw e;
    } catch (IOException e) {
      throw failed(writing, e);
    }
    return named(writing, number);
  }

  private synchronized Path named(Writing writing, long number) throws IOException {
    if (removed) {
      throw stopping();
    }
    TravelName chosen = writing.name;
    Path written;
    try {
      written =
          chosen != null && directory != null
              ? only(writing.part, chosen.below(directory))
              : name(writing.part, number);
    } catch (RefusedNameException e) {
      throw e;
    } catch (IOException e) {
      throw failed(writing, e);
    }
    if (written == null) {
      throw chosen != null ? taken(chosen) : exists(writing.asked);
    }
    return written;
  }

  private static IOException stopping() {
    return new IOException("the receiver is stopping; the array was not written");
  }

  /** Ends what was begun, and removes it if it is not finished. */
  void end(Writing writing) throws IOException {
    end(writing.part);
  }

  private static RefusedNameException taken(TravelName name) {
    return new RefusedNameException(TAKEN, name.toString());
  }

  private static @Nullable Path only(PartFile part, Path target) throws IOException {
    try {
      part.becomeNew(target);
      return target;
    } catch (FileAlreadyExistsException e) {
      return null;
    }
  }

  /** Reads what was written, as a reader of the file will. */
  private static void verify(PartFile part, long bytes, String sha256, Path asked)
      throws IOException {
    FileChannel channel = part.channel();
    String found = ElementDigest.of(channel, channel.size() - bytes, bytes, 1, false);
    if (!found.equals(sha256)) {
      throw new RefusedNameException(
          "the file that was written is not the one that was sent; nothing of it was kept",
          asked.getFileName().toString());
    }
  }

  /** Arrays of several channels come at the same time; each is whole before the next. */
  private synchronized void writeToPipe(
      WritableByteChannel out, NpyHeader header, ArraySlice elements) throws IOException {
    try {
      NpyWriter.write(out, header, elements);
    } catch (IOException e) {
      throw new IOException("the pipe behind standard output was closed", e);
    }
  }

  private synchronized PartFile part(Path near, Path asked, long bytes) throws IOException {
    if (closed) {
      throw stopping();
    }
    try {
      PartFile part = PartFile.of(near);
      unfinished.add(part);
      return part;
    } catch (IOException e) {
      throw failed(asked, bytes, UNKNOWN, e);
    }
  }

  private void end(PartFile part) throws IOException {
    try {
      part.close();
    } finally {
      forget(part);
    }
  }

  private synchronized void forget(PartFile part) {
    unfinished.remove(part);
    notifyAll();
  }

  /** Gives a whole file its name; null if that is taken and there is no other. */
  private @Nullable Path name(PartFile part, long number) throws IOException {
    long least = firstNumber + number - 1;
    for (long next = least + shift; ; next++) {
      Path target = file == null ? numbered(next) : file;
      try {
        part.becomeNew(target);
        shift = Math.max(shift, next - least);
        return target;
      } catch (FileAlreadyExistsException e) {
        if (file != null) {
          return null;
        }
        // Another process writes to this directory.
      }
    }
  }

  private Path numbered(long number) {
    if (directory == null) {
      throw new IllegalStateException("no directory");
    }
    return directory.resolve(String.format(Locale.ROOT, "array-%06d.npy", number));
  }

  /**
   * Refuses further arrays, waits a while for those that are being written, and removes what is
   * then still unfinished.
   *
   * @param millis how long to wait
   */
  synchronized void close(long millis) {
    closed = true;
    long end = System.nanoTime() + millis * 1_000_000;
    try {
      for (long left = millis; !unfinished.isEmpty() && left > 0; ) {
        wait(left);
        left = (end - System.nanoTime()) / 1_000_000;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    removed = true;
    for (PartFile each : unfinished) {
      try {
        each.remove();
      } catch (IOException e) {
        // It stays under its hidden name, which cannot be taken for an array.
      }
    }
  }
}
