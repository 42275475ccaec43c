package io.arraywire.examples.cli;

import io.arraywire.examples.npy.PartFile;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Numbered files in a directory. Numbers go on after the highest that is there, and past those that
 * somebody else takes meanwhile. Any thread, but one at a time for {@link #take}.
 */
final class NumberedFiles {
  private static final Pattern NUMBERED = Pattern.compile("array-(\\d{6,9})\\.npy");

  private final Path directory;
  private final long first;

  /** How many numbers others have taken since this process looked. */
  private volatile long shift;

  private NumberedFiles(Path directory, long first) {
    this.directory = directory;
    this.first = first;
  }

  /** Looks which numbers are there. */
  static NumberedFiles in(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      long highest =
          files
              .map(each -> NUMBERED.matcher(each.getFileName().toString()))
              .filter(Matcher::matches)
              .mapToLong(matcher -> Long.parseLong(matcher.group(1)))
              .max()
              .orElse(0);
      return new NumberedFiles(directory, highest + 1);
    }
  }

  /** The file that an array will be, if nobody else takes numbers from now on. */
  Path asked(long number) {
    return file(first + number - 1 + shift);
  }

  /** Gives a whole file its name. */
  Path take(PartFile part, long number) throws IOException {
    long least = first + number - 1;
    for (long next = least + shift; ; next++) {
      Path target = file(next);
      try {
        part.becomeNew(target);
        shift = Math.max(shift, next - least);
        return target;
      } catch (FileAlreadyExistsException e) {
        // Another process writes to this directory.
      }
    }
  }

  private Path file(long number) {
    return directory.resolve(String.format(Locale.ROOT, "array-%06d.npy", number));
  }
}
