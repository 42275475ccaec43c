package io.arraywire.examples.cli;

import io.arraywire.ElementType;
import io.arraywire.examples.file.ArrayFile;
import io.arraywire.examples.npy.NpyArray;
import io.arraywire.examples.npy.NpyReader;
import io.arraywire.examples.npy.NpyWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * What {@code send} is given: files, directories, archives of {@code numpy.savez}, and {@code -}
 * for standard input. What is no file by itself, and what lies in Fortran order, is copied to one
 * below a directory that {@link #close} removes.
 */
final class Inputs implements Closeable {
  /** Stands for standard input. */
  static final String PIPE = "-";

  private static final String ARRAY = ".npy";
  private static final String ARCHIVE = ".npz";

  /** What this process needs in its heap beside an array. */
  private static final long BESIDES_ARRAY_BYTES = 64 << 20;

  private final @Nullable ElementType raw;
  private final ByteOrder order;
  private final InputStream pipe;
  private final boolean named;
  private final List<Outgoing> found = new ArrayList<>();
  private @Nullable Path copies;
  private int copied;

  /**
   * Makes an empty list.
   *
   * @param raw the type of files without a header, or null for {@code .npy} files
   * @param order their byte order
   * @param pipe standard input
   * @param named whether the name of a single file travels, too
   */
  Inputs(@Nullable ElementType raw, ByteOrder order, InputStream pipe, boolean named) {
    this.raw = raw;
    this.order = order;
    this.pipe = pipe;
    this.named = named;
  }

  /** Adds what an argument stands for. */
  void add(Path argument) throws IOException {
    if (argument.toString().equals(PIPE)) {
      found.add(new Outgoing(array(copy(pipe)), null, PIPE, null));
    } else if (Files.isDirectory(argument)) {
      if (raw != null) {
        throw new IOException(
            "a directory is searched for .npy files, and --raw is for files without a header; name"
                + " the files (directory="
                + argument
                + ")");
      }
      directory(argument);
    } else if (raw == null && argument.toString().endsWith(ARCHIVE) && Files.exists(argument)) {
      archive(argument, stem(argument));
    } else {
      TravelName name = named ? nameOf(argument) : null;
      found.add(new Outgoing(array(argument), name, argument.toString(), null));
    }
  }

  /** The name of a single file, which is written as a .npy file in any case. */
  private static TravelName nameOf(Path file) throws RefusedNameException {
    String name = String.valueOf(file.toAbsolutePath().getFileName());
    return TravelName.parse(name.endsWith(ARRAY) ? name : name + ARRAY);
  }

  /** All of it, in the order in which to send it. */
  List<Outgoing> found() {
    return found;
  }

  private ArrayFile array(Path file) throws IOException {
    if (raw != null) {
      return ArrayFile.raw(file, raw, order);
    }
    return NpyReader.readLayout(file).fortranOrder() ? inCOrder(file) : ArrayFile.npy(file);
  }

  /** A copy with the elements in the order in which they travel; made in memory. */
  private ArrayFile inCOrder(Path file) throws IOException {
    Path copy = newCopy();
    try {
      NpyArray array = NpyReader.read(file);
      NpyWriter.write(copy, array.header(), array.elements());
    } catch (OutOfMemoryError e) {
      throw new IOException(
          "not enough memory to put an array in Fortran order into C order; "
              + Complaints.moreHeap(Files.size(file) + Files.size(file) / 4 + BESIDES_ARRAY_BYTES)
              + ", or save it with np.save(file, np.ascontiguousarray(a)) (file="
              + file
              + ")",
          e);
    }
    return ArrayFile.npy(copy);
  }

  /** Links are not followed: what lies outside of a directory is no part of it. */
  private void directory(Path directory) throws IOException {
    Path top = directory.toRealPath();
    List<Path> files;
    try (Stream<Path> below = Files.walk(top)) {
      files =
          below
              .filter(file -> file.toString().endsWith(ARRAY) || file.toString().endsWith(ARCHIVE))
              .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
              .filter(file -> !isHidden(top.relativize(file)))
              .sorted(Comparator.comparing(Path::toString))
              .toList();
    }
    if (files.isEmpty()) {
      throw new IOException("there is no .npy or .npz file below it (directory=" + directory + ")");
    }
    Path first = top.getFileName();
    for (Path each : files) {
      Path name = top.relativize(each);
      // As the user knows it, for the lines and messages about it.
      Path file = directory.resolve(name);
      String travels = (first == null ? name : first.resolve(name)).toString().replace('\\', '/');
      if (travels.endsWith(ARCHIVE)) {
        archive(file, travels.substring(0, travels.length() - ARCHIVE.length()));
      } else {
        found.add(new Outgoing(array(file), TravelName.parse(travels), file.toString(), null));
      }
    }
  }

  private static boolean isHidden(Path relative) {
    for (Path part : relative) {
      if (part.toString().startsWith(".")) {
        return true;
      }
    }
    return false;
  }

  private static String stem(Path archive) {
    String name = archive.toAbsolutePath().getFileName().toString();
    return name.substring(0, name.length() - ARCHIVE.length());
  }

  /** Each member becomes a file of the directory that has the archive's name. */
  private void archive(Path archive, String directory) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      List<? extends ZipEntry> members =
          zip.stream().filter(member -> !member.isDirectory()).toList();
      if (members.isEmpty()) {
        throw new IOException("the archive has no array (file=" + archive + ")");
      }
      for (ZipEntry member : members) {
        TravelName name = TravelName.parse(directory + "/" + member.getName());
        try (InputStream bytes = zip.getInputStream(member)) {
          found.add(new Outgoing(array(copy(bytes)), name, archive + "/" + member.getName(), null));
        }
      }
    } catch (java.util.zip.ZipException e) {
      throw new IOException(
          "not an archive of numpy.savez: it is damaged, or cut off (file=" + archive + ")", e);
    }
  }

  private Path copy(InputStream bytes) throws IOException {
    Path file = newCopy();
    Files.copy(bytes, file);
    return file;
  }

  private Path newCopy() throws IOException {
    Path directory = copies;
    if (directory == null) {
      directory = Files.createTempDirectory("arraywire-");
      copies = directory;
    }
    return directory.resolve("array-" + ++copied + ARRAY);
  }

  @Override
  public void close() throws IOException {
    if (copies == null) {
      return;
    }
    Files.walkFileTree(
        copies,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
