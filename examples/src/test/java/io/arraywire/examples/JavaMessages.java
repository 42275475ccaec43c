package io.arraywire.examples;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a page of the strings of a Java source: texts of exceptions, lines of logs, help. Each is
 * on the line where it begins, so that {@link Sentences} can cut the page. Strings that are put
 * together are one text. A value between two of them counts as a word, and text blocks are left
 * out.
 */
final class JavaMessages {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?:\\\\.|(?!\"\"\").)*+\"\"\"|\"(?<string>(?:\\\\.|[^\"\\\\\\n])*+)\""
              + "|'(?:\\\\.|[^'\\\\\\n])++'|/\\*.*?\\*/|//[^\\n]*",
          Pattern.DOTALL);

  /** A plus, or a value between two of them. */
  private static final Pattern JOINED =
      Pattern.compile("\\s*\\+\\s*(?<value>[\\w.]+(?:\\([\\w., ]*\\))?\\s*\\+\\s*)?");

  /** Names and values at the end of a message; they are no part of its sentence. */
  private static final Pattern FACTS = Pattern.compile(" ?\\(\\w+=.*$");

  private static final Pattern LINE_END = Pattern.compile("\\\\n|%n");

  /** Names of options, keys and files have no more. */
  private static final int LEAST_WORDS = 4;

  private final StringBuilder page = new StringBuilder();
  private final StringBuilder text = new StringBuilder();

  private JavaMessages() {}

  /** The lines of the page, as many as the source has up to its last text. */
  static List<String> page(String source) {
    JavaMessages messages = new JavaMessages();
    Matcher token = TOKEN.matcher(source);
    int end = 0;
    int lineEnds = 0;
    while (token.find()) {
      String code = source.substring(end, token.start());
      String string = token.group("string");
      Matcher joined = JOINED.matcher(code);
      boolean goesOn = string != null && end > 0 && joined.matches();
      if (!goesOn) {
        messages.endText(lineEnds);
        lineEnds = 0;
        messages.page.append(lineEnds(code));
      } else {
        lineEnds += lineEnds(code).length();
        messages.text.append(joined.group("value") == null ? "" : "value");
      }
      if (string != null) {
        messages.text.append(string);
      } else {
        messages.page.append(lineEnds(token.group()));
      }
      end = token.end();
    }
    messages.endText(lineEnds);
    return messages.page.toString().lines().toList();
  }

  private void endText(int lineEnds) {
    String words = FACTS.matcher(text).replaceFirst("");
    if (words.split("\\s+").length >= LEAST_WORDS) {
      page.append("- ").append(LINE_END.matcher(words).replaceAll(". The"));
    }
    page.append("\n".repeat(lineEnds));
    text.setLength(0);
  }

  private static String lineEnds(String text) {
    return text.replaceAll("[^\\n]+", "");
  }
}
