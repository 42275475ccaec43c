package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The constructions that readers stumbled over most do not come back: a relative clause as the
 * subject or object of a sentence, and private words for what the field has names for. No sentence
 * of a page is longer than one can read once.
 */
@Tag("newest")
class PlainEnglishTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  /** Name the actor instead: the thread, the peer, the caller, the handler. */
  private static final Pattern RIDDLE =
      Pattern.compile(
          "\\b[Ww]hoever\\b|\\b[Ww]hom\\b|[Ss]igns? of life|\\b[Tt]hose who\\b"
              + "|\\b(?:somebody|everybody|nobody|anybody|everyone|one|callers|users) who\\b"
              + "|(?<=^|[.:;]\\s|/\\*\\*\\s|^\\*\\s|//\\s)Who (?!the|this|a|they|it|may)\\w+\\b(?![^.?]*\\?)"
              + "|\\b(?:for|by|to|of|from|than) who\\b|\\bvoid who[A-Z]|\\w+Whoever");

  /** In one sentence. Code blocks, tables and headings are not counted. */
  private static final int MOST_WORDS = 25;

  private static final List<String> MODULES =
      List.of(
          "transport-api",
          "transport-client",
          "transport-engine",
          "transport-kafka",
          "transport-micrometer",
          "transport-nio",
          "transport-stream",
          "transport-testkit",
          "benchmarks",
          "chaos",
          "examples");

  /** Pages and sources, tests as well: the name of a test is a sentence, too. */
  private static List<Path> texts() throws IOException {
    List<Path> texts = new ArrayList<>();
    for (String page : List.of("README.md", "CONTRIBUTING.md", "examples/README.md")) {
      texts.add(ROOT.resolve(page));
    }
    List<String> folders = new ArrayList<>(List.of("docs"));
    MODULES.forEach(module -> folders.add(module + "/src"));
    for (String folder : folders) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files
            .filter(file -> file.toString().matches(".*\\.(md|java)"))
            .filter(file -> !file.endsWith("PlainEnglishTest.java"))
            .forEach(texts::add);
      }
    }
    assertThat(texts).hasSizeGreaterThan(200);
    return texts;
  }

  @Test
  void noSentenceIsARiddle() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path text : texts()) {
      int number = 0;
      for (String line : Files.readAllLines(text)) {
        number++;
        Matcher riddle = RIDDLE.matcher(line.strip());
        if (riddle.find()) {
          found.add(ROOT.relativize(text) + ":" + number + ": " + line.strip());
        }
      }
    }
    assertThat(found).as("name the actor, or the word that the field has").isEmpty();
  }

  /** Everything that a person reads as a page, the records of decisions and the changes too. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String page :
        List.of(
            "README.md",
            "CONTRIBUTING.md",
            "CHANGELOG.md",
            "SECURITY.md",
            "examples/README.md",
            "python/README.md")) {
      pages.add(ROOT.resolve(page));
    }
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThan(80);
    return pages;
  }

  @Test
  void noSentenceIsLong() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path page : pages()) {
      for (Sentences.Sentence sentence : Sentences.of(Files.readAllLines(page))) {
        int words = sentence.words();
        if (words > MOST_WORDS) {
          found.add(
              String.format(
                  "%s:%d: %d words: %s",
                  ROOT.relativize(page), sentence.line(), words, sentence.text()));
        }
      }
    }
    assertThat(found)
        .as("at most %d words in a sentence: make two of it, or a list", MOST_WORDS)
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Who polls lets other threads have its processor.",
        "// Whoever waits sees it in the end.",
        "* Who takes memory for every batch makes no object for it.",
        "others are for who must not wait",
        "/** Who waits gets what comes. */",
        "// For those who look why.",
        "the peer gives signs of life",
        "void whoWaitsGetsWhatComes() throws Exception {",
        "void anArrayGoesToWhoeverWaits() {",
      })
  void theWorstOfOldSentencesAreFound(String sentence) {
    assertThat(RIDDLE.matcher(sentence).find()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "A peer who asks is told.",
        "/** Who the peer is, where that is known. */",
        "| What | Limit | Who sets it |",
        "## Who may do what",
        "// Who is that? See the log.",
      })
  void ordinarySentencesAreLeftAlone(String sentence) {
    assertThat(RIDDLE.matcher(sentence).find()).isFalse();
  }
}
