package io.arraywire.examples.cli;

import io.arraywire.ArraySlice;
import io.arraywire.examples.npy.NpyHeader;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
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

  /** Null if arrays do not become files. */
  private final @Nullable FileNames names;

  private final Set<PartFile> unfinished = new HashSet<>();
  private final KeptParts kept = new KeptParts();
  private boolean closed;

  /** Whether unfinished files were removed: the process may end at any moment. */
  private boolean removed;

  /** Standard output, for a pipe. */
  private final @Nullable WritableByteChannel pipe;

  private ArrayStore(@Nullable FileNames names, @Nullable WritableByteChannel pipe) {
    this.names = names;
    this.pipe = pipe;
  }

  /**
   * A store that writes each array to a pipe, one after the other, as {@code .npy} files.
   *
   * @param pipe takes them
   * @return the store
   */
  static ArrayStore pipe(OutputStream pipe) {
    return new ArrayStore(null, Channels.newChannel(pipe));
  }

  /**
   * A store that keeps nothing.
   *
   * @return the store
   */
  static ArrayStore discarding() {
    return new ArrayStore(null, null);
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
    return new ArrayStore(FileNames.at(out), null);
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

  /** Whether arrays become files. */
  boolean hasFiles() {
    return names != null;
  }

  /** Whether arrays become .npy files or a pipe's bytes. */
  boolean writes() {
    return names != null || pipe != null;
  }

  private FileNames names() {
    if (names == null) {
      throw new IllegalStateException("no files");
    }
    return names;
  }

  /** As {@link FileNames#nameIn}; null if arrays do not become files. */
  @Nullable TravelName nameIn(Map<String, String> metadata) throws RefusedNameException {
    return names == null ? null : names.nameIn(metadata);
  }

  /** As {@link FileNames#place(TravelName)}. */
  Place place(TravelName name) throws RefusedNameException {
    return names().place(name);
  }

  /** What is kept of files that did not come whole. */
  KeptParts keptParts() {
    return kept;
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
   *     end, or if this fails. Null to begin anew with a file that is removed if it does not come
   *     whole
   */
  Writing begin(long number, @Nullable TravelName name, long bytes, ResumeDesk.@Nullable Kept from)
      throws IOException {
    Path path = from == null ? null : from.path();
    PartFile part = from == null ? null : from.part();
    boolean begun = false;
    try {
      Place place = names().place(number, name);
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
    checkGoesOn();
    try {
      Path target = names().settle(writing, sha256);
      List<Path> others = names().keptPaths(writing.name());
      Path written = take(writing, target, number);
      kept.discard(others);
      return written;
    } catch (RefusedNameException e) {
      writing.part().discard();
      throw e;
    }
  }

  /** Not once unfinished files were removed, and one at a time. */
  private synchronized Path take(Writing writing, @Nullable Path target, long number)
      throws IOException {
    checkGoesOn();
    return names().take(writing, target, number);
  }

  private synchronized void checkGoesOn() throws IOException {
    if (removed) {
      throw stopping();
    }
  }

  private static IOException stopping() {
    return new IOException("the receiver is stopping; the array was not written");
  }

  /** Ends what was begun, and removes it if it is neither finished nor kept. */
  void end(Writing writing) throws IOException {
    end(writing.part(), writing.kept());
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
