package io.arraywire.examples.cli;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Suggests an option for a misspelt one. Picocli suggests options with the same first two letters,
 * and none if the misspelt option is a required one.
 */
final class Misspelling {
  private Misspelling() {}

  /**
   * Names the first unknown option of a command line, and the option that was probably meant.
   *
   * @param failure what picocli found; if a required option is misspelt, that it is missing
   * @param arguments the command line
   * @return the message, or null if something else is wrong
   */
  static @Nullable String words(ParameterException failure, List<String> arguments) {
    boolean unknown =
        failure instanceof UnmatchedArgumentException unmatched && unmatched.isUnknownOption();
    if (!unknown && !(failure instanceof MissingParameterException)) {
      return null;
    }
    Set<String> known = failure.getCommandLine().getCommandSpec().optionsMap().keySet();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      String name = end < 0 ? argument : argument.substring(0, end);
      if (argument.equals("--")) {
        return null;
      }
      if (name.startsWith("--") && !known.contains(name)) {
        String meant = nearest(name, known);
        return "no such option: '"
            + name
            + (meant == null ? "'" : "'; did you mean '" + meant + "'?");
      }
    }
    return null;
  }

  private static @Nullable String nearest(String name, Set<String> known) {
    String best = null;
    // A third of the characters may be wrong, missing or too many.
    int least = name.length() / 3 + 1;
    for (String each : known) {
      int edits = edits(name, each);
      if (edits < least) {
        least = edits;
        best = each;
      }
    }
    return best;
  }

  /** Characters to be inserted, removed or replaced, as V. Levenshtein counts them. */
  private static int edits(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
