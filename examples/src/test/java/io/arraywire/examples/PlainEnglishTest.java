package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The constructions that readers stumbled over most do not come back: a relative clause as the
 * subject or object of a sentence, and private words for what the field has names for. No sentence
 * of a page or a comment is longer than one can read once.
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

  private static final Path GLOSSARY = ROOT.resolve("docs/glossary.md");

  /** The table of words itself, and files in which figures of earlier versions have their names. */
  private static final List<String> OLD_NAMES =
      List.of("glossary.md", "OldNames.java", "BenchFileTest.java");

  private static final String ADVICE = "at most %d words in a sentence: make two of it, or a list";

  private static final List<String> MODULES =
      List.of(
          "transport-api",
          "transport-client",
          "transport-compression",
          "transport-engine",
          "transport-kafka",
          "transport-micrometer",
          "transport-nio",
          "transport-stream",
          "transport-testkit",
          "benchmarks",
          "chaos",
          "examples",
          "jcstress");

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

  /**
   * What the glossary's second table has on its left, as one pattern: in any case at the beginning
   * of a word, and across the lines of a comment.
   */
  private static Pattern unusedWords() throws IOException {
    String table =
        Files.readString(GLOSSARY).replaceFirst("(?s)^.*\n\\| Not \\|[^\n]*\n[^\n]*\n", "");
    List<String> words =
        table
            .lines()
            .takeWhile(line -> line.startsWith("|"))
            .flatMap(line -> Stream.of(line.split("\\|")[1].strip().split(", ")))
            .toList();
    assertThat(words).hasSizeGreaterThan(15);
    String any =
        words.stream()
            .map(word -> "(?i:" + word.charAt(0) + ")" + word.substring(1))
            .map(word -> word.replace(" ", "\\s+(?:(?:\\*|//)\\s+)?"))
            .collect(Collectors.joining("|"));
    return Pattern.compile("(?<![\\w.])(?:" + any + ")\\b");
  }

  @Test
  void wordsOfTheGlossaryAreUsedInPlaceOfOthers() throws IOException {
    Pattern unused = unusedWords();
    List<String> found = new ArrayList<>();
    for (Path text : texts()) {
      if (OLD_NAMES.contains(text.getFileName().toString())) {
        continue;
      }
      String content = Files.readString(text);
      Matcher word = unused.matcher(content);
      while (word.find()) {
        long line = 1 + content.substring(0, word.start()).chars().filter(c -> c == '\n').count();
        found.add(ROOT.relativize(text) + ":" + line + ": " + word.group().replaceAll("\\s+", " "));
      }
    }
    assertThat(found).as("docs/glossary.md says what to write instead").isEmpty();
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
      found.addAll(longSentences(page, Files.readAllLines(page)));
    }
    assertThat(found).as(ADVICE, MOST_WORDS).isEmpty();
  }

  /** What is published, with what is built beside it; not the tests. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main"))) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(900);
    return sources;
  }

  @Test
  void noSentenceOfACommentIsLong() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      found.addAll(longSentences(source, JavaComments.page(Files.readString(source))));
    }
    assertThat(found).as(ADVICE, MOST_WORDS).isEmpty();
  }

  /** The strings of the test kit are parts of messages that it expects. */
  private static List<Path> sourcesOfMessages() throws IOException {
    return sources().stream()
        .filter(source -> !source.startsWith(ROOT.resolve("transport-testkit")))
        .toList();
  }

  /** Texts of exceptions, lines of logs, help of the commands, titles of charts. */
  @Test
  void noSentenceOfAMessageIsLong() throws IOException {
    List<String> found = new ArrayList<>();
    int messages = 0;
    for (Path source : sourcesOfMessages()) {
      List<String> page = JavaMessages.page(Files.readString(source));
      messages += Sentences.of(page).size();
      found.addAll(longSentences(source, page));
    }
    assertThat(found).as(ADVICE, MOST_WORDS).isEmpty();
    assertThat(messages).isGreaterThan(1_500);
  }

  /** Finds also what goes on in the next line of the source. */
  @Test
  void messagesHaveTheWordsOfTheGlossaryAndNoRiddles() throws IOException {
    Pattern unused = unusedWords();
    List<String> found = new ArrayList<>();
    for (Path source : sourcesOfMessages()) {
      if (OLD_NAMES.contains(source.getFileName().toString())) {
        continue;
      }
      for (Sentences.Sentence each : Sentences.of(JavaMessages.page(Files.readString(source)))) {
        if (unused.matcher(each.text()).find() || RIDDLE.matcher(each.text()).find()) {
          found.add(ROOT.relativize(source) + ":" + each.line() + ": " + each.text());
        }
      }
    }
    assertThat(found).as("docs/glossary.md says what to write instead").isEmpty();
  }

  private static List<String> longSentences(Path file, List<String> page) {
    List<String> found = new ArrayList<>();
    for (Sentences.Sentence sentence : Sentences.of(page)) {
      int words = sentence.words();
      if (words > MOST_WORDS) {
        found.add(
            String.format(
                "%s:%d: %d words: %s",
                ROOT.relativize(file), sentence.line(), words, sentence.text()));
      }
    }
    return found;
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
