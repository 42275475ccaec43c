package io.arraywire.examples;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a page of the comments of a Java source, with every sentence on its line of the source, so
 * that {@link Sentences} can cut it. Code within a comment counts as one word, a link as its text,
 * and a block tag such as {@code @param} begins a paragraph.
 */
final class JavaComments {
  /** Text blocks, strings and characters are there so that nothing in them looks like a comment. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?:\\\\.|(?!\"\"\").)*+\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'"
              + "|/\\*(?<block>.*?)\\*/|//(?<line>[^\\n]*)",
          Pattern.DOTALL);

  private static final Pattern STARS = Pattern.compile("(?m)^[ \\t]*\\*+[ \\t]?");
  private static final Pattern SAMPLE =
      Pattern.compile("<(pre|table)\\b[^>]*>.*?</\\1>", Pattern.DOTALL);
  private static final Pattern RETURNS = Pattern.compile("\\{@return\\s+((?:[^{}]|\\{[^{}]*})*+)}");
  private static final Pattern INLINE = Pattern.compile("\\{@(\\w+)((?:[^{}]|\\{[^{}]*})*+)}");

  /** What a link leads to: a name, and the types of the parameters if it is a method's. */
  private static final Pattern TARGET = Pattern.compile("^\\s*[\\w.#]+(?:\\([^)]*\\))?");

  private static final Pattern BLOCK_TAG =
      Pattern.compile("(?m)^@(?:(?:param|throws)\\s+\\S+|return|see.*|since.*)");
  private static final Pattern LIST_ITEM = Pattern.compile("<li>");
  private static final Pattern MARKUP = Pattern.compile("</?\\w+[^>]*>");

  /** Begins a paragraph of {@link Sentences}. */
  private static final String ITEM = "- ";

  private JavaComments() {}

  /** The lines of the page, as many as the source has. */
  static List<String> page(String source) {
    StringBuilder page = new StringBuilder();
    Matcher token = TOKEN.matcher(source);
    int end = 0;
    while (token.find()) {
      String code = source.substring(end, token.start());
      page.append(lineEnds(code));
      String text = token.group();
      if (token.group("line") != null) {
        boolean alone = code.substring(code.lastIndexOf('\n') + 1).isBlank();
        text = (alone ? "" : ITEM) + token.group("line");
      } else if (token.group("block") != null) {
        text = prose(token.group("block"));
      } else {
        text = lineEnds(text);
      }
      page.append(text);
      end = token.end();
    }
    return page.toString().lines().toList();
  }

  private static String prose(String comment) {
    String text = STARS.matcher(comment).replaceAll("");
    text = SAMPLE.matcher(text).replaceAll(found -> lineEnds(found.group()));
    text =
        RETURNS.matcher(text).replaceAll(found -> Matcher.quoteReplacement(found.group(1) + "."));
    text = INLINE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(inline(found)));
    text = BLOCK_TAG.matcher(text).replaceAll(ITEM);
    text = LIST_ITEM.matcher(text).replaceAll(ITEM);
    return MARKUP.matcher(text).replaceAll("");
  }

  /** One word for code or a link, with the line ends that were in it behind it. */
  private static String inline(MatchResult found) {
    String body = found.group(2);
    Matcher target = TARGET.matcher(body);
    if (found.group(1).startsWith("link") && target.find()) {
      String text = body.substring(target.end());
      if (!text.isBlank()) {
        return text.stripLeading();
      }
    }
    return "`" + body.strip().replaceAll("\\s+", "_") + "`" + lineEnds(body);
  }

  private static String lineEnds(String text) {
    return text.replaceAll("[^\\n]+", "");
  }
}
