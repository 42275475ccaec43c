package io.arraywire.spi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a failure: a sentence and its facts, {@code text (name=value, name=value)}. What
 * comes from a peer, a user or a file system may be of any length and have any characters; the text
 * does not. Stateless; any thread.
 */
public final class MessageText {
  /**
   * The most characters of a text: as many as a log line, a terminal and a reader take in at once.
   */
  public static final int MOST_CHARACTERS = 299;

  private static final int MOST_OF_A_KIND = 60;

  private static final String CUT = "...";

  /** A value that is cut keeps at least so many characters, its cut included. */
  private static final int LEAST_OF_A_VALUE = 20;

  private static final String BEFORE_A_FACT = "( ";
  private static final String AFTER_A_FACT = ",)";

  /**
   * A cause that wraps another one begins with its class. The text may hold what a peer sent, so a
   * match neither goes back nor begins inside a word. The time grows with the text and no faster,
   * and the stack does not grow.
   */
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "(?<![\\w.$])(?:[a-z_]\\w*+\\.)++[A-Z][\\w$]*+(?<=Exception|Error)(?::\\s*+)?");

  private MessageText() {}

  /**
   * Makes a text of at most {@link #MOST_CHARACTERS}: the longest values give way first, then the
   * sentence. A fact that the sentence or another value has already is not said again.
   *
   * @param sentence what happened and what to do
   * @param facts names and values in turn; of a {@code Throwable} the text is said, not the class
   * @return one line without control characters
   */
  public static String brief(String sentence, Object... facts) {
    List<String> parts = parts(sentence, facts);
    int spare = MOST_CHARACTERS - length(parts);
    if (spare >= 0) {
      return join(parts);
    }
    int most = valueLimit(parts, spare);
    for (int i = 2; i < parts.size(); i += 2) {
      parts.set(i, cut(parts.get(i), most));
    }
    parts.set(0, cut(parts.get(0), parts.get(0).length() + MOST_CHARACTERS - length(parts)));
    return cut(join(parts), MOST_CHARACTERS);
  }

  /**
   * Makes the same text with nothing cut.
   *
   * @param sentence as for {@link #brief}
   * @param facts as for {@link #brief}
   * @return one line without control characters
   */
  public static String whole(String sentence, Object... facts) {
    return join(parts(sentence, facts));
  }

  /** The sentence, then name and value in turn. */
  private static List<String> parts(String sentence, Object[] facts) {
    List<String> parts = new ArrayList<>(1 + facts.length);
    parts.add(printable(sentence));
    for (int i = 0; i + 1 < facts.length; i += 2) {
      parts.add(printable(String.valueOf(facts[i])));
      Object value = facts[i + 1];
      parts.add(
          printable(value instanceof Throwable thrown ? words(thrown) : String.valueOf(value)));
    }
    dropRepeated(parts);
    return parts;
  }

  /**
   * Drops facts that the sentence or another value says already: what a peer or a cause reports
   * often has its own.
   */
  private static void dropRepeated(List<String> parts) {
    for (int i = parts.size() - 2; i > 0; i -= 2) {
      String fact = parts.get(i) + "=" + parts.get(i + 1);
      boolean repeated = says(parts.get(0), fact);
      for (int other = 2; other < parts.size() && !repeated; other += 2) {
        repeated = other != i + 1 && says(parts.get(other), fact);
      }
      if (repeated) {
        parts.subList(i, i + 2).clear();
      }
    }
  }

  /** Whether a text has a fact, as a whole one. */
  private static boolean says(String text, String fact) {
    for (int at = text.indexOf(fact); at >= 0; at = text.indexOf(fact, at + 1)) {
      int end = at + fact.length();
      if (at > 0
          && end < text.length()
          && BEFORE_A_FACT.indexOf(text.charAt(at - 1)) >= 0
          && AFTER_A_FACT.indexOf(text.charAt(end)) >= 0) {
        return true;
      }
    }
    return false;
  }

  private static int length(List<String> parts) {
    int length = parts.get(0).length();
    for (int i = 1; i < parts.size(); i++) {
      length += parts.get(i).length();
    }
    // " (" and ")", "=" and ", ".
    int facts = parts.size() / 2;
    return facts == 0 ? length : length + 3 + facts + 2 * (facts - 1);
  }

  private static String join(List<String> parts) {
    StringBuilder all = new StringBuilder(parts.get(0));
    for (int i = 1; i + 1 < parts.size(); i += 2) {
      all.append(i == 1 ? " (" : ", ").append(parts.get(i)).append('=').append(parts.get(i + 1));
    }
    return all.append(parts.size() > 1 ? ")" : "").toString();
  }

  /** How long values may be so that all fit, if that is possible. */
  private static int valueLimit(List<String> parts, int spare) {
    int limit = MOST_CHARACTERS;
    while (limit > LEAST_OF_A_VALUE) {
      int saved = 0;
      for (int i = 2; i < parts.size(); i += 2) {
        saved += Math.max(0, parts.get(i).length() - limit);
      }
      if (saved + spare >= 0) {
        break;
      }
      limit--;
    }
    return limit;
  }

  static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = Math.max(0, most - CUT.length());
    // Half a character is none.
    if (end > 0 && Character.isHighSurrogate(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end) + CUT;
  }

  /** What a failure of the JDK's or of a user says: its text, or else its name in words. */
  static String words(Throwable thrown) {
    String text = said(thrown);
    String said = text == null ? "" : CLASS_NAME.matcher(text).replaceAll("").strip();
    return said.isEmpty() ? named(thrown) : said;
  }

  /** A user's class may fail to say what happened; it happened all the same. */
  private static @Nullable String said(Throwable thrown) {
    try {
      return thrown.getMessage();
    } catch (RuntimeException | Error e) {
      return null;
    }
  }

  /**
   * The class of a failure in words, for a failure whose text is not to be told.
   *
   * @param thrown the failure; none of its methods is called
   * @return a few words in lower case
   */
  public static String named(Throwable thrown) {
    String words =
        thrown
            .getClass()
            .getSimpleName()
            .replaceFirst("(?<=.)(Exception|Error)$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
    return words.isEmpty() ? "unknown" : words;
  }

  /**
   * Says of which kind an object of a user's is, as its author would call it. It leaves out
   * packages, and says of a lambda the class that it is written in.
   *
   * @param object any object; none of its methods is called
   * @return a few words
   */
  public static String kind(Object object) {
    String name = object.getClass().getTypeName();
    int lambda = name.indexOf("$$Lambda");
    String written = lambda < 0 ? name : name.substring(0, lambda);
    String simple = written.substring(written.lastIndexOf('.') + 1).replace('$', '.');
    return cut(printable(lambda < 0 ? simple : "lambda in " + simple), MOST_OF_A_KIND);
  }

  /**
   * Replaces what could forge a line of a log or drive a terminal.
   *
   * @param text any text, or null
   * @return as many characters, all of them printable
   */
  public static String printable(@Nullable String text) {
    if (text == null) {
      return "null";
    }
    for (int i = 0; i < text.length(); i++) {
      if (isUnfit(text.charAt(i))) {
        return replaced(text);
      }
    }
    return text;
  }

  private static String replaced(String text) {
    StringBuilder clean = new StringBuilder(text);
    for (int i = 0; i < clean.length(); i++) {
      if (isUnfit(clean.charAt(i))) {
        clean.setCharAt(i, '?');
      }
    }
    return clean.toString();
  }

  static boolean isUnfit(char c) {
    int type = Character.getType(c);
    return Character.isISOControl(c)
        || type == Character.FORMAT
        || type == Character.LINE_SEPARATOR
        || type == Character.PARAGRAPH_SEPARATOR;
  }

  /**
   * Says that a value is below its least.
   *
   * @param name of the value, as its user knows it
   * @param value what was given
   * @param least the smallest that may be
   * @return the text
   */
  public static String tooSmall(String name, Object value, Object least) {
    return name + " is too small (" + name + "=" + value + ", least=" + least + ")";
  }
}
