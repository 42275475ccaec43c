package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code docs/errors.md} says of codes and messages is so. */
@Tag("newest")
class ErrorsPageTest {
  private static final String CODES = "## Codes";
  private static final String MISTAKES = "## The first mistakes";
  private static final int LONGEST = 300;

  @Test
  void everyCodeIsThereWithItsNumber() throws IOException {
    assertThat(PageOfTests.read("errors.md").rows(CODES))
        .allSatisfy(row -> assertThat(row).hasSize(7))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .containsExactlyElementsOf(
            Stream.of(ErrorCode.values()).map(code -> code.number() + " `" + code + "`").toList());
  }

  /** The protocol's page marks what a peer is told with a star. */
  @Test
  void whatThePeerIsToldIsWhatTheProtocolSays() throws IOException {
    List<String> told =
        Files.readAllLines(PageOfTests.ROOT.resolve("docs/protocol.md")).stream()
            .filter(line -> line.matches("\\| \\d+ \\* \\| [A-Z_]+ \\|.*"))
            .map(line -> "`" + line.split(" *\\| *")[2] + "`")
            .toList();
    assertThat(PageOfTests.read("errors.md").rows(CODES))
        .filteredOn(row -> row.get(3).equals("yes"))
        .extracting(row -> row.get(1))
        .containsExactlyElementsOf(told);
  }

  @Test
  void everyCodeHasAnExceptionAndAMessageOfTheLibrary() throws Exception {
    PageOfTests page = PageOfTests.read("errors.md");
    for (List<String> row : page.rows(CODES)) {
      String code = row.get(1);
      for (String exception : row.get(2).replace("`", "").split(", ")) {
        assertThat(ArraywireException.class)
            .as(code)
            .isAssignableFrom(Class.forName("io.arraywire." + exception));
      }
      assertThat(row.get(4)).as(code).isNotEmpty();
      assertThat(row.get(5)).as(code).isNotEmpty();
      assertIsSaid(page, code, row.get(6));
    }
  }

  @Test
  void everyMistakeHasAMessageOfTheLibraryAndATest() throws IOException {
    PageOfTests page = PageOfTests.read("errors.md");
    List<List<String>> mistakes = page.rows(MISTAKES);
    assertThat(mistakes).hasSizeGreaterThanOrEqualTo(30);
    assertThat(mistakes)
        .extracting(row -> Integer.parseInt(row.get(0)))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, mistakes.size()).boxed().toList());
    for (List<String> row : mistakes) {
      String mistake = row.get(0) + " " + row.get(1);
      assertThat(row).as(mistake).hasSize(5);
      assertIsSaid(page, mistake, row.get(2));
      assertThat(PageOfTests.named(row.get(4))).as(mistake).isPositive();
      assertThat(page.missing(row.get(4))).as(mistake).isEmpty();
      assertThat(page.quotes(row.get(4), row.get(2)))
          .as("the test has the text of " + mistake)
          .isTrue();
    }
  }

  private static void assertIsSaid(PageOfTests page, String of, String message) {
    assertThat(message).as(of).startsWith("`").endsWith("`").hasSizeLessThan(LONGEST);
    String text = message.substring(1, message.length() - 1);
    assertThat(text).as(of).hasSizeGreaterThan(11);
    assertThat(page.unsaid(text)).as(of).isEmpty();
  }
}
