package io.arraywire.engine;

import io.arraywire.spi.MessageText;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A failure as a log may have it. A handler, an authenticator or the JDK puts into a text what a
 * peer has sent. Such a text may hold a line that looks like another one of the log, or control a
 * terminal. The stack, the causes and what was suppressed are those of the failure.
 */
final class LoggedFailure extends Throwable {
  private static final long serialVersionUID = 1;

  /** More characters of a text are left out. */
  private static final int MOST_CHARACTERS = 4096;

  private static final Pattern LINE_BREAK = Pattern.compile("\\R");

  /** A line of a log never begins so. */
  private static final String NEXT_LINE = "\n\t| ";

  private final String said;

  private LoggedFailure(Throwable failure, @Nullable LoggedFailure cause) {
    super(failure.getMessage() == null ? null : printable(failure.getMessage()), cause, true, true);
    said = printable(failure.toString());
    setStackTrace(failure.getStackTrace());
  }

  /** The same failure if all its texts can be logged as they are; else one whose texts can. */
  static @Nullable Throwable of(@Nullable Throwable failure) {
    if (failure == null || isFit(failure, setOf(failure))) {
      return failure;
    }
    return copy(failure, setOf(failure));
  }

  private static LoggedFailure copy(Throwable failure, Set<Throwable> seen) {
    Throwable cause = failure.getCause();
    LoggedFailure copy =
        new LoggedFailure(failure, cause == null || !seen.add(cause) ? null : copy(cause, seen));
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.add(suppressed)) {
        copy.addSuppressed(copy(suppressed, seen));
      }
    }
    return copy;
  }

  private static Set<Throwable> setOf(Throwable failure) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    seen.add(failure);
    return seen;
  }

  private static boolean isFit(Throwable failure, Set<Throwable> seen) {
    String text = failure.toString();
    if (!printable(text).equals(text)) {
      return false;
    }
    Throwable cause = failure.getCause();
    if (cause != null && seen.add(cause) && !isFit(cause, seen)) {
      return false;
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      if (seen.add(suppressed) && !isFit(suppressed, seen)) {
        return false;
      }
    }
    return true;
  }

  private static String printable(String text) {
    String some =
        text.length() > MOST_CHARACTERS ? text.substring(0, MOST_CHARACTERS) + "..." : text;
    StringBuilder clean = new StringBuilder();
    for (String line : LINE_BREAK.split(some, -1)) {
      clean
          .append(clean.isEmpty() ? "" : NEXT_LINE)
          .append(MessageText.printable(line.replace('\t', ' ')));
    }
    return clean.toString();
  }

  /** With the class of the failure, which a message alone has not. */
  @Override
  @SuppressWarnings("OverrideThrowableToString")
  public String toString() {
    return said;
  }
}
