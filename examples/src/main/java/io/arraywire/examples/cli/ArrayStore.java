package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where received arrays go: nowhere, one file, or numbered files in a directory. Any thread.
 *
 * <p>In a directory numbers go on after the highest that is there, so nothing is overwritten; one
 * process at a time may write to it. A file that is named is replaced.
 */
final class ArrayStore {
  private static final Pattern NUMBERED = Pattern.compile("array-(\\d{6,9})\\.npy");

  private final @Nullable Path file;
  private final @Nullable Path directory;
  private final long firstNumber;
  private final Set<Path> unfinished = new HashSet<>();
  private boolean closed;

  private ArrayStore(@Nullable Path file, @Nullable Path directory, long firstNumber) {
    this.file = file;
    this.directory = directory;
    this.firstNumber = firstNumber;
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
      Path parent = out.toAbsolutePath().getParent();
      checkWritable(parent == null ? out.toAbsolutePath() : parent, out);
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

  /**
   * Writes an array; when this returns, its file is whole.
   *
   * @param number 1 for the first array of this process, and so on
   * @param header type and shape
   * @param elements the elements
   * @return the file, or null if none is kept
   * @throws IOException if it cannot be written
   */
  @Nullable Path write(long number, NpyHeader header, ArraySlice elements) throws IOException {
    Path target = target(number);
    if (target == null) {
      return null;
    }
    synchronized (this) {
      if (closed) {
        throw new IOException("the receiver is stopping; the array was not written");
      }
      unfinished.add(target);
    }
    try {
      NpyWriter.write(target, header, elements);
    } catch (IOException e) {
      throw new UnwritableException(target, elements.bytes(), e);
    } finally {
      synchronized (this) {
        unfinished.remove(target);
        notifyAll();
      }
    }
    return target;
  }

  private @Nullable Path target(long number) {
    return directory == null
        ? file
        : directory.resolve(String.format(Locale.ROOT, "array-%06d.npy", firstNumber + number - 1));
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
    for (Path each : unfinished) {
      try {
        Files.deleteIfExists(NpyWriter.partOf(each));
      } catch (IOException e) {
        // It stays under its hidden name, which cannot be taken for an array.
      }
    }
  }
}
