package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.Sentences.Sentence;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How a page is cut into sentences, and their words counted. */
@Tag("newest")
class SentencesTest {
  private static List<Sentence> sentences(String page) {
    return Sentences.of(page.lines().toList());
  }

  private static List<String> texts(String page) {
    return sentences(page).stream().map(Sentence::text).toList();
  }

  private static int words(String sentence) {
    List<Sentence> found = sentences(sentence);
    assertThat(found).hasSize(1);
    return found.get(0).words();
  }

  @Test
  void aSentenceEndsWithItsMark() {
    assertThat(texts("One. Two? Three! Four: Five; Six"))
        .containsExactly("One.", "Two?", "Three!", "Four:", "Five;", "Six");
    assertThat(texts("**Bold.** (In brackets.) `code` follows."))
        .containsExactly("**Bold.**", "(In brackets.)", "`code` follows.");
    assertThat(texts("It says: [a link](page.md). 64 bytes."))
        .containsExactly("It says:", "[a link](page.md).", "64 bytes.");
  }

  @Test
  void aMarkInsideASentenceDoesNotEndIt() {
    assertThat(texts("See e.g. this; or that: in 1.5 s, as `a.b` does."))
        .containsExactly("See e.g. this; or that: in 1.5 s, as `a.b` does.");
  }

  @Test
  void linesOfAParagraphBelongTogether() {
    assertThat(sentences("\nThe first\nsentence. The\nsecond one.\n\nAnother"))
        .containsExactly(
            new Sentence(2, "The first sentence."),
            new Sentence(3, "The second one."),
            new Sentence(6, "Another"));
  }

  @Test
  void aListItemIsAParagraph() {
    assertThat(sentences("There are\n* one\n  and a half\n  - two\n10. three"))
        .containsExactly(
            new Sentence(1, "There are"),
            new Sentence(2, "one and a half"),
            new Sentence(4, "two"),
            new Sentence(5, "three"));
  }

  @Test
  void codeTablesHeadingsAndCommentsHaveNone() {
    assertThat(texts("# Heading\nText\n```sh\nnot text\n\n# nor this\n```\n| nor | this |\nMore"))
        .containsExactly("Text", "More");
    assertThat(texts("<!-- MARK -->\nText\n  ```java\n  no\n  ```\n  End"))
        .containsExactly("Text", "End");
  }

  @Test
  void wordsHaveALetterOrADigit() {
    assertThat(words("a - b & c → d, 64 % of `e`")).isEqualTo(7);
  }

  @Test
  void aLinkCountsAsItsText() {
    assertThat(words("See [the two\nrules](page.md#a-b) of ![it](a b.png)")).isEqualTo(6);
  }
}
