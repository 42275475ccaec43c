package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where received arrays go: nowhere, one file, or numbered files in a directory. Any thread.
 *
 * <p>No file is ever overwritten. In a directory numbers go on after the highest that is there, and
 * past those that somebody else takes meanwhile.
 */
final class ArrayStore {
  /** What the sender of an array is told whose name is taken. */
  static final String TAKEN = "the receiver has a file of that name";

  /** Stands for a size that could not be found out. */
  static final long UNKNOWN = -1;

  private final @Nullable Path file;
  private final @Nullable Path directory;
  private final @Nullable NumberedFiles numbers;
  private final Set<PartFile> unfinished = new HashSet<>();
  private final KeptParts kept = new KeptParts();
  private boolean closed;

  /** Whether unfinished files were removed: the process may end at any moment. */
  private boolean removed;

  /** Standard output, for a pipe. */
  private final @Nullable WritableByteChannel pipe;

  private ArrayStore(
      @Nullable Path file,
      @Nullable Path directory,
      @Nullable NumberedFiles numbers,
      @Nullable WritableByteChannel pipe) {
    this.file = file;
    this.directory = directory;
    this.numbers = numbers;
    this.pipe = pipe;
  }

  /**
   * A store that writes each array to a pipe, one after the other, as {@code .npy} files.
   *
   * @param pipe takes them
   * @return the store
   */
  static ArrayStore pipe(OutputStream pipe) {
    return new ArrayStore(null, null, null, Channels.newChannel(pipe));
  }

  /**
   * A store that keeps nothing.
   *
   * @return the store
   */
  static ArrayStore discarding() {
    return new ArrayStore(null, null, null, null);
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
      return new ArrayStore(out, null, null, null);
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
    return new ArrayStore(null, out, NumberedFiles.in(out), null);
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
        NpyWriter.write(writing.part(), header, elements);
      } catch (IOException e) {
        throw writing.failed(e);
      }
      return finish(writing, number, sha256);
    } finally {
      end(writing);
    }
  }

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

  /** What is kept of files that did not come whole. */
  KeptParts keptParts() {
    return kept;
  }

  /**
   * Where a file goes that has a name before it is whole. Makes nothing.
   *
   * @param name the name that its sender gives, which counts in a directory only
   * @throws RefusedNameException if it could be anything but a file below the directory
   */
  Place place(TravelName name) throws RefusedNameException {
    Path under = directory;
    if (under != null) {
      return new Place(name.in(under), name.near(under), name, name.kept(under));
    }
    Path only = onlyFile();
    return new Place(only, only, null, keptPaths(null));
  }

  /** Where what has come of a file may be kept; nowhere, if it has no name before it is whole. */
  private List<Path> keptPaths(@Nullable TravelName name) throws RefusedNameException {
    if (file != null) {
      return List.of(PartFile.keptPath(file, file.getFileName().toString()));
    }
    return name == null || directory == null ? List.of() : name.kept(directory);
  }

  private Path onlyFile() {
    if (file == null) {
      throw new IllegalStateException("no files");
    }
    return file;
  }

  private Place place(long number, @Nullable TravelName name) throws RefusedNameException {
    if (directory == null || name == null) {
      Path asked = numbers != null ? numbers.asked(number) : onlyFile();
      return new Place(asked, asked, null, List.of());
    }
    Place place = place(name);
    if (Files.exists(place.asked(), LinkOption.NOFOLLOW_LINKS)) {
      throw taken(name);
    }
    return place;
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
    return begin(number, name, bytes, null);
  }

  /**
   * As above.
   *
   * @param from what is kept of the file, which is {@linkplain KeptParts#release released} at the
   *     end, or if this fails; null to begin anew with a file that is removed if it does not come
   *     whole
   */
  Writing begin(long number, @Nullable TravelName name, long bytes, ResumeDesk.@Nullable Kept from)
      throws IOException {
    Path path = from == null ? null : from.path();
    PartFile part = from == null ? null : from.part();
    boolean begun = false;
    try {
      Place place = place(number, name);
      part = part(place, bytes, part);
      Writing writing =
          new Writing(place.asked(), place.name(), part, bytes, usable(place, bytes, part), path);
      begun = true;
      return writing;
    } finally {
      if (!begun && part != null) {
        end(part, path);
      }
    }
  }

  private static long usable(Place place, long bytes, PartFile part) throws IOException {
    try {
      return part.usableBytes();
    } catch (IOException e) {
      throw Writing.failed(place.asked(), bytes, UNKNOWN, e, false);
    }
  }

  /**
   * Gives a whole file its name.
   *
   * @param number as in {@link #write}
   * @param sha256 as there
   * @return the file
   * @throws IOException if its name is taken, or it is not what was sent; what was kept of it stays
   *     unless that is why
   */
  Path finish(Writing writing, long number, @Nullable String sha256) throws IOException {
    TravelName chosen = writing.name();
    List<Path> others;
    Path written;
    try {
      Path target = settle(writing, sha256);
      others = keptPaths(chosen);
      written = named(writing, target, number);
    } catch (RefusedNameException e) {
      writing.part().discard();
      throw e;
    }
    if (written == null) {
      writing.part().discard();
      throw chosen != null ? taken(chosen) : exists(writing.asked());
    }
    kept.discard(others);
    return written;
  }

  /**
   * Has a whole part ready for its name. Whatever may fail does so while the part is still kept.
   *
   * @return its file, whose directories are made; null if the store has the name
   */
  private @Nullable Path settle(Writing writing, @Nullable String sha256) throws IOException {
    checkGoesOn();
    PartFile part = writing.part();
    TravelName chosen = writing.name();
    try {
      if (sha256 != null) {
        writing.verify(sha256);
      }
      Path target = chosen != null && directory != null ? chosen.below(directory) : null;
      if (part.isKept()) {
        part.channel().force(false);
      }
      part.settle();
      // Not while others wait: it may have to write.
      part.channel().close();
      return target;
    } catch (RefusedNameException e) {
      throw e;
    } catch (IOException e) {
      throw writing.failed(e);
    }
  }

  private synchronized void checkGoesOn() throws IOException {
    if (removed) {
      throw stopping();
    }
  }

  private synchronized @Nullable Path named(Writing writing, @Nullable Path target, long number)
      throws IOException {
    checkGoesOn();
    try {
      if (target == null && numbers != null) {
        return numbers.take(writing.part(), number);
      }
      return only(writing.part(), target != null ? target : onlyFile());
    } catch (IOException e) {
      throw writing.failed(e);
    }
  }

  private static IOException stopping() {
    return new IOException("the receiver is stopping; the array was not written");
  }

  /** Ends what was begun, and removes it if it is neither finished nor kept. */
  void end(Writing writing) throws IOException {
    end(writing.part(), writing.kept());
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

  /** Arrays of several channels come at the same time; each is whole before the next. */
  private synchronized void writeToPipe(
      WritableByteChannel out, NpyHeader header, ArraySlice elements) throws IOException {
    try {
      NpyWriter.write(out, header, elements);
    } catch (IOException e) {
      throw new IOException("the pipe behind standard output was closed", e);
    }
  }

  /** The part to write to: one that is kept, or a new one. */
  private synchronized PartFile part(Place place, long bytes, @Nullable PartFile from)
      throws IOException {
    if (closed) {
      throw stopping();
    }
    try {
      PartFile part = from != null ? from : PartFile.of(place.near());
      unfinished.add(part);
      return part;
    } catch (IOException e) {
      throw Writing.failed(place.asked(), bytes, UNKNOWN, e, false);
    }
  }

  private void end(PartFile part, @Nullable Path path) throws IOException {
    try {
      if (path == null) {
        part.close();
      } else {
        kept.release(path, part);
      }
    } finally {
      forget(part);
    }
  }

  private synchronized void forget(PartFile part) {
    unfinished.remove(part);
    notifyAll();
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
