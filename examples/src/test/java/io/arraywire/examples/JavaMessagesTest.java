package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("newest")
class JavaMessagesTest {
  private static List<String> page(String... lines) {
    return JavaMessages.page(String.join("\n", lines) + "\n");
  }

  @Test
  void stringsThatArePutTogetherAreOneText() {
    assertThat(
            page(
                "throw new E(",
                "    \"a text of \"",
                "        + \"two lines\",",
                "    \"name\", value);",
                "log(\"another text of one line\");"))
        .containsExactly("", "- a text of two lines", "", "", "- another text of one line");
  }

  @Test
  void aValueIsAWordAndFactsAreNone() {
    assertThat(
            page("x(\"it has \" + most.get(1, a) + \" bytes or less (limit=\" + limit + \")\");"))
        .containsExactly("- it has value bytes or less");
  }

  @Test
  void commentsTextBlocksCharactersAndNamesAreNoTexts() {
    assertThat(
            page(
                "// \"a text that is a comment\"",
                "/* \"a text that is a comment\" */",
                "x(\"\"\"",
                "  a text that is a block",
                "  \"\"\", '\"', \"a short name\");"))
        .allMatch(String::isEmpty);
  }

  @Test
  void aLineEndEndsASentence() {
    assertThat(Sentences.of(page("x(\"a line of words%nanother line of words\");"))).hasSize(2);
  }
}
