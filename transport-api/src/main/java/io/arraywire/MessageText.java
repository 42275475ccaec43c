package io.arraywire;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The text of a failure: a sentence and its facts, {@code text (name=value, name=value)}. What
 * comes from a peer or from a file system may be of any length and have any characters; the text
 * does not.
 */
final class MessageText {
  /** A log line, a terminal and a person take in that many. */
  static final int MOST_CHARACTERS = 299;

  private static final String CUT = "...";

  /** A value that is cut keeps at least so many characters, its cut included. */
  private static final int LEAST_OF_A_VALUE = 20;

  /**
   * A cause that wraps another one begins with its class. The text may hold what a peer sent, so a
   * match neither goes back nor begins inside a word: the time grows with the text and no faster,
   * and the stack does not.
   */
  private static final Pattern CLASS_NAME =
      Pattern.compile(
          "(?<![\\w.$])(?:[a-z_]\\w*+\\.)++[A-Z][\\w$]*+(?<=Exception|Error)(?::\\s*+)?");

  private MessageText() {}

  /** At most {@link #MOST_CHARACTERS}: the longest values give way first, then the sentence. */
  static String brief(String sentence, Object... facts) {
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

  /** With nothing cut. */
  static String whole(String sentence, Object... facts) {
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
    return parts;
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

  private static String named(Throwable thrown) {
    String words =
        thrown
            .getClass()
            .getSimpleName()
            .replaceFirst("(?<=.)(Exception|Error)$", "")
            .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
            .toLowerCase(Locale.ROOT);
    return words.isEmpty() ? "unknown" : words;
  }

  /** Without what could forge a line of a log or drive a terminal. */
  static String printable(@Nullable String text) {
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
}
