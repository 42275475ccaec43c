package io.arraywire.benchmarks.result;

/**
 * Old names of contenders and questions. Files of figures that were measured before a name changed
 * have the old one; pages and tests ask for the new one.
 */
public final class OldNames {
  private static final String OLD_SOCKET = "raw-ceiling";

  /** It sleeps in the kernel, and others are faster: it is no ceiling. */
  private static final String SOCKET = "raw-sleep";

  private OldNames() {}

  /**
   * The name that a contender has today.
   *
   * @param name as a file or a command of any time has it
   * @return the name; what says where it meets its peer, such as {@code -unix}, stays
   */
  public static String contender(String name) {
    return name.equals(OLD_SOCKET) || name.startsWith(OLD_SOCKET + "-")
        ? SOCKET + name.substring(OLD_SOCKET.length())
        : name;
  }

  /** The label that a question has today. */
  static String label(String label) {
    return label.replace(" on their way", " in flight");
  }
}
