package io.arraywire.examples.cli;

import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name under which a file travels: {@code weights/layer1/w.npy}, relative, with slashes. The
 * sender puts it into the metadata of its array, and the receiver makes no other file of it than
 * one below its own directory.
 *
 * @param parts directories and the file, from the top; each is a plain name
 */
record TravelName(List<String> parts) {
  /** The key of the metadata. */
  static final String KEY = "file";

  private static final int MOST_PARTS = 16;
  private static final int MOST_CHARACTERS = 255;

  /** Of a file or directory most systems allow 255; its hidden file is called by 15 more. */
  private static final int MOST_PART_BYTES = 240;

  private static final String SUFFIX = ".npy";

  /** Checks nothing; {@link #parse} does. */
  TravelName {
    parts = List.copyOf(parts);
  }

  /**
   * Reads a name that a peer, an archive or a directory has chosen.
   *
   * @param text the name
   * @return the name
   * @throws RefusedNameException if it could be anything but a file below the directory
   */
  static TravelName parse(String text) throws RefusedNameException {
    List<String> parts = List.of(text.split("/", -1));
    if (text.length() > MOST_CHARACTERS || parts.size() > MOST_PARTS) {
      throw new RefusedNameException("the name of the file is too long", text);
    }
    if (!text.endsWith(SUFFIX)) {
      throw new RefusedNameException("the name of the file does not end in .npy", text);
    }
    for (String part : parts) {
      // Empty: an absolute path. A point first: this directory, the one above, or a hidden file.
      if (part.isEmpty() || part.startsWith(".") || !isPlain(part)) {
        throw new RefusedNameException(
            "the name of the file leads out of the directory, or is not a plain one", text);
      }
      if (part.getBytes(StandardCharsets.UTF_8).length > MOST_PART_BYTES) {
        throw new RefusedNameException(
            "a part of the file's name has more than " + MOST_PART_BYTES + " bytes", text);
      }
    }
    return new TravelName(parts);
  }

  /** No separator of another system, and nothing that a terminal would obey. */
  private static boolean isPlain(String part) {
    return part.chars()
        .allMatch(each ->
            each != '\\'
                && each != ':'
                && !Character.isISOControl(each)
                && Character.getType(each) != Character.FORMAT
                && each != '\u2028'
                && each != '\u2029');
  }

  private List<String> directories() {
    return parts.subList(0, parts.size() - 1);
  }

  private String file() {
    return parts.get(parts.size() - 1);
  }

  /**
   * The file of this name. Makes nothing. A link on the way is not followed.
   *
   * @param directory where it is to be
   * @return a path below that directory, which may be there already
   * @throws RefusedNameException if a part of the way is no directory, or the file system cannot
   *     store the name
   */
  Path in(Path directory) throws RefusedNameException {
    Path way = directory;
    for (String part : directories()) {
      way = resolve(way, part);
      if (Files.exists(way, LinkOption.NOFOLLOW_LINKS)) {
        checkDirectory(way);
      }
    }
    return resolve(way, file());
  }

  /**
   * A file of this name in the nearest directory on the way that is there: so that it is on the
   * disk of the {@linkplain #in file}.
   *
   * @param directory where the file is to be
   * @return a path in that directory or below
   * @throws RefusedNameException as above
   */
  Path near(Path directory) throws RefusedNameException {
    List<Path> there = there(directory);
    return resolve(there.get(there.size() - 1), file());
  }

  /**
   * Where what has come of a file of this name may be kept: beside {@link #near}, or further up, if
   * directories were made since.
   *
   * @param directory where the file is to be
   * @return paths, from the nearest up
   * @throws RefusedNameException as above
   */
  List<Path> kept(Path directory) throws RefusedNameException {
    List<Path> kept = new ArrayList<>();
    for (Path way : there(directory)) {
      kept.add(0, PartFile.keptPath(resolve(way, file()), toString()));
    }
    return kept;
  }

  /** The directories on the way that are there, from the top. */
  private List<Path> there(Path directory) throws RefusedNameException {
    List<Path> there = new ArrayList<>(List.of(directory));
    for (String part : directories()) {
      Path next = resolve(there.get(there.size() - 1), part);
      if (!Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
        break;
      }
      there.add(next);
    }
    return there;
  }

  /**
   * The file of this name, whose directories are made.
   *
   * @param directory where it is to be
   * @return as {@link #in}
   * @throws RefusedNameException as there
   * @throws IOException if a directory cannot be made
   */
  Path below(Path directory) throws IOException {
    Path way = directory;
    for (String part : directories()) {
      way = resolve(way, part);
      if (!Files.exists(way, LinkOption.NOFOLLOW_LINKS)) {
        try {
          Files.createDirectory(way);
        } catch (FileAlreadyExistsException e) {
          // Another array's, made a moment ago; looked at below.
        }
      }
      checkDirectory(way);
    }
    return resolve(way, file());
  }

  private void checkDirectory(Path way) throws RefusedNameException {
    if (!Files.isDirectory(way, LinkOption.NOFOLLOW_LINKS)) {
      throw new RefusedNameException(
          "a part of the file's name exists already, and is no directory", toString());
    }
  }

  private Path resolve(Path way, String part) throws RefusedNameException {
    try {
      return way.resolve(part);
    } catch (InvalidPathException e) {
      throw new RefusedNameException(
          "the name has characters that the receiver's file system cannot store; rename the file",
          toString());
    }
  }

  /** The name, or null if an array has none. */
  static @Nullable TravelName parseOrNull(@Nullable String text) throws RefusedNameException {
    return text == null ? null : parse(text);
  }

  @Override
  public String toString() {
    return String.join("/", parts);
  }
}
