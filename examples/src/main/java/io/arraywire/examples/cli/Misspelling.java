package io.arraywire.examples.cli;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Suggests an option or a command for a misspelt one. Picocli suggests options with the same first
 * two letters, none if the misspelt option is a required one, and no commands.
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

  /**
   * Finds the name that was probably meant.
   *
   * @param name a misspelt one
   * @param known those that there are
   * @return one of them, or null if none is near
   */
  static @Nullable String nearest(String name, Collection<String> known) {
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

  /**
   * Characters to be inserted, removed, replaced, or exchanged with their neighbours, as F. Damerau
   * counts them.
   */
  private static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        boolean same = from.charAt(i - 1) == to.charAt(j - 1);
        int least =
            Math.min(
                edits[i - 1][j - 1] + (same ? 0 : 1),
                Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean exchanged =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        edits[i][j] = exchanged ? Math.min(least, edits[i - 2][j - 2] + 1) : least;
      }
    }
    return edits[from.length()][to.length()];
  }
}
