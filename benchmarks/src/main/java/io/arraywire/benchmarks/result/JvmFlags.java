package io.arraywire.benchmarks.result;

import java.util.List;
import java.util.regex.Pattern;

/** Flags of a JVM, as a page for strangers shows them. */
public final class JvmFlags {
  /** From the root to the last slash; a lone name below the root is nobody's secret. */
  private static final Pattern DIRECTORIES = Pattern.compile("(?<![\\w./-])/+(?:[^/,:;=\\s]+/)+");

  private JvmFlags() {}

  /**
   * The flags without the directories of the machine that they were given on.
   *
   * @param flags as they were given
   * @return one line, in which a file, or the last directory of a path, has its name alone
   */
  public static String shown(List<String> flags) {
    return DIRECTORIES.matcher(String.join(" ", flags)).replaceAll("");
  }
}
