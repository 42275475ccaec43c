package io.arraywire.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cuts a Markdown page into its sentences. Code blocks, tables, headings and comments have none; a
 * list item is a paragraph.
 */
final class Sentences {
  private static final Pattern ITEM = Pattern.compile("^\\s*(?:[-*+]|\\d+[.)])\\s+");

  private static final Pattern NO_PROSE = Pattern.compile("^\\s*[|#<].*");

  /**
   * A full stop, question or exclamation mark ends a sentence unless a small letter follows, as
   * behind "e.g.". So does a colon or semicolon before a capital letter, code or a link.
   */
  private static final Pattern END =
      Pattern.compile("[.?!][)\\]\"*_]*(?=\\s+[^a-z\\s])|[:;](?=\\s+[A-Z`*\\[(])");

  private static final Pattern LINK_TARGET = Pattern.compile("]\\([^)]*\\)");

  private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

  /** A sentence, and the line of the page that it begins in, from 1 on. */
  record Sentence(int line, String text) {
    /** Words with a letter or a digit. The text of a link counts and its address does not. */
    int words() {
      Matcher word = WORD.matcher(LINK_TARGET.matcher(text).replaceAll("]"));
      int words = 0;
      while (word.find()) {
        words++;
      }
      return words;
    }
  }

  private final List<Sentence> sentences = new ArrayList<>();
  private final StringBuilder paragraph = new StringBuilder();

  /** Where each line of the paragraph begins in it; the first of them is {@link #firstLine}. */
  private final List<Integer> starts = new ArrayList<>();

  private int firstLine;

  private Sentences() {}

  /** The sentences of a page, in order. */
  static List<Sentence> of(List<String> page) {
    Sentences reader = new Sentences();
    boolean code = false;
    for (int i = 0; i < page.size(); i++) {
      String line = page.get(i);
      boolean fence = line.strip().startsWith("```");
      if (fence || code || line.isBlank() || NO_PROSE.matcher(line).matches()) {
        reader.endParagraph();
        code ^= fence;
      } else {
        reader.addLine(i + 1, line);
      }
    }
    reader.endParagraph();
    return List.copyOf(reader.sentences);
  }

  private void addLine(int number, String line) {
    Matcher item = ITEM.matcher(line);
    boolean begins = item.lookingAt();
    if (begins) {
      endParagraph();
    }
    if (starts.isEmpty()) {
      firstLine = number;
    }
    starts.add(paragraph.length());
    paragraph.append(begins ? line.substring(item.end()).strip() : line.strip()).append(' ');
  }

  private void endParagraph() {
    Matcher end = END.matcher(paragraph);
    int begin = 0;
    while (end.find()) {
      addSentence(begin, end.end());
      begin = end.end();
    }
    addSentence(begin, paragraph.length());
    paragraph.setLength(0);
    starts.clear();
  }

  private void addSentence(int begin, int end) {
    int first = begin;
    while (first < end && Character.isWhitespace(paragraph.charAt(first))) {
      first++;
    }
    if (first < end) {
      int line = firstLine - 1;
      for (int start : starts) {
        if (start <= first) {
          line++;
        }
      }
      sentences.add(new Sentence(line, paragraph.substring(first, end).strip()));
    }
  }
}
