package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.examples.Sentences.Sentence;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the comments of a source say, and on which line. */
@Tag("newest")
class JavaCommentsTest {
  private static List<Sentence> sentences(String source) {
    return Sentences.of(JavaComments.page(source));
  }

  private static int words(String comment) {
    return sentences(comment).stream().mapToInt(Sentence::words).sum();
  }

  @Test
  void sentencesAreOnTheLinesOfTheSource() {
    String source =
        """
        package a;

        /**
         * The first. The second {@link
         * Link} ends.
         *
         * <p>A paragraph
         * @param name a name
         * @return nothing
         */
        int a = 1; // One.
        int b = 2; // Two.
        // Of two
        // lines.
        """;
    assertThat(sentences(source))
        .containsExactly(
            new Sentence(4, "The first."),
            new Sentence(4, "The second `Link` ends."),
            new Sentence(7, "A paragraph"),
            new Sentence(8, "a name"),
            new Sentence(9, "nothing"),
            new Sentence(11, "One."),
            new Sentence(12, "Two."),
            new Sentence(13, "Of two lines."));
  }

  @Test
  void stringsAndSamplesAreNotRead() {
    String source =
        """
        String url = "http://host"; char quote = '"'; // Read.
        String block = \"""
          // Not "read".
          \""";
        /**
         * Read, too.
         *
         * <pre>{@code
         * not();
         * }</pre>
         */
        """;
    assertThat(sentences(source))
        .containsExactly(new Sentence(1, "Read."), new Sentence(6, "Read, too."));
  }

  @Test
  void codeIsAWordAndALinkIsItsText() {
    assertThat(words("/** See {@code a b c} and {@link Type#method(int, long)}. */")).isEqualTo(4);
    assertThat(words("/** A {@linkplain Type#method(int, long) link of words}. */")).isEqualTo(4);
    assertThat(sentences("/** {@return the answer} Any thread. */"))
        .containsExactly(new Sentence(1, "the answer."), new Sentence(1, "Any thread."));
    assertThat(words("/** 2<sup>-8</sup> of <b>it</b>. */")).isEqualTo(3);
  }

  @Test
  void anItemOfAListIsAParagraph() {
    assertThat(sentences("/**\n * <ul>\n *   <li>one\n *   <li>two\n * </ul>\n */"))
        .containsExactly(new Sentence(3, "one"), new Sentence(4, "two"));
  }
}
