package io.arraywire.examples.cli;

import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The names that arriving files take: that of one file, or below a directory the name that a sender
 * gives, else the next number. A file takes its name when it is whole, and never one that is taken.
 * Any thread, but one at a time for {@link #take}.
 */
final class FileNames {
  private final @Nullable Path file;
  private final @Nullable Path directory;
  private final @Nullable NumberedFiles numbers;

  private FileNames(
      @Nullable Path file, @Nullable Path directory, @Nullable NumberedFiles numbers) {
    this.file = file;
    this.directory = directory;
    this.numbers = numbers;
  }

  /**
   * Names at a path, which is checked to be writable now, before anybody sends.
   *
   * @param out a directory, which is made if it is not there; or a file, whose name ends in {@code
   *     .npy}
   * @return the names
   * @throws IOException if it cannot be written to
   */
  static FileNames at(Path out) throws IOException {
    if (isFile(out)) {
      if (Files.exists(out, LinkOption.NOFOLLOW_LINKS)) {
        throw exists(out);
      }
      try {
        PartFile.of(out).close();
      } catch (IOException e) {
        throw new UnwritableException(out, e);
      }
      return new FileNames(out, null, null);
    }
    if (Files.exists(out) && !Files.isDirectory(out)) {
      throw new FileAlreadyExistsException(out.toString());
    }
    try {
      Files.createDirectories(out);
    } catch (IOException e) {
      throw new UnwritableException(out, e);
    }
    checkWritable(out);
    return new FileNames(null, out, NumberedFiles.in(out));
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

  private static void checkWritable(Path directory) throws UnwritableException {
    try {
      Files.delete(Files.createTempFile(directory, ".arraywire", ".part"));
    } catch (IOException e) {
      // It names a hidden file, which nobody asked for.
      throw new UnwritableException(directory, e);
    }
  }

  private static IOException exists(Path file) {
    return new IOException(
        "the file exists already; remove it, or give another name (file=" + file + ")");
  }

  private static RefusedNameException taken(TravelName name) {
    return new RefusedNameException(ArrayStore.TAKEN, name.toString());
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

  /**
   * Where an array goes.
   *
   * @param number its number, if it has no name
   * @param name the name that its sender gives, or null
   * @throws RefusedNameException if there is a file of that name
   */
  Place place(long number, @Nullable TravelName name) throws RefusedNameException {
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

  /** Where what has come of a file may be kept; nowhere, if it has no name before it is whole. */
  List<Path> keptPaths(@Nullable TravelName name) throws RefusedNameException {
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

  /**
   * Has a whole part ready for its name. Whatever may fail does so while the part is still kept.
   *
   * @param sha256 what the digest of its elements must be, or null
   * @return the file that its sender chose, whose directories are made; null if it chose none
   */
  @Nullable Path settle(Writing writing, @Nullable String sha256) throws IOException {
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

  /**
   * Gives a part that has settled its name.
   *
   * @param target what {@link #settle} returned
   * @param number of the array, for a file whose sender chose no name
   * @return the file
   * @throws RefusedNameException if there is a file of the name that its sender chose
   * @throws IOException if there is the one file, or the name cannot be given
   */
  Path take(Writing writing, @Nullable Path target, long number) throws IOException {
    PartFile part = writing.part();
    try {
      if (target == null && numbers != null) {
        return numbers.take(part, number);
      }
      Path only = target != null ? target : onlyFile();
      part.becomeNew(only);
      return only;
    } catch (FileAlreadyExistsException e) {
      part.discard();
      throw writing.name() != null ? taken(writing.name()) : exists(writing.asked());
    } catch (IOException e) {
      throw writing.failed(e);
    }
  }
}
