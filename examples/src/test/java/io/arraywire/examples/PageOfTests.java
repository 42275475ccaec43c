package io.arraywire.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A page that names tests, and the sources that it must agree with. */
final class PageOfTests {
  static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  private static final Pattern NAMED =
      Pattern.compile("`([A-Z]\\w*(?:Test|Tests|IT|Contract|Stress))(?:#(\\w+))?`");
  private static final Pattern ANNOTATED =
      Pattern.compile("@(Test|ParameterizedTest|FuzzTest|RepeatedTest|TestFactory)\\b");
  private static final Pattern JOINED = Pattern.compile("\"\\s*\\+\\s*\"");

  /** Texts of classes by their simple names: those of tests, and of contracts. */
  private final Map<String, String> sources = new HashMap<>();

  /** Texts of the library, whose literals are joined that a line has parted. */
  private final StringBuilder library = new StringBuilder();

  private final String page;

  private PageOfTests(String page) {
    this.page = page;
  }

  /** Reads a page of docs, and all sources. */
  static PageOfTests read(String name) throws IOException {
    PageOfTests read = new PageOfTests(Files.readString(ROOT.resolve("docs").resolve(name)));
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("src"))).toList()) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
            read.add(module.getFileName().toString(), file);
          }
        }
      }
    }
    return read;
  }

  private void add(String module, Path file) throws IOException {
    String text = Files.readString(file);
    sources.put(file.getFileName().toString().replace(".java", ""), text);
    boolean main = file.toString().replace('\\', '/').contains("/src/main/");
    if (main && module.startsWith("transport-") && !module.equals("transport-testkit")) {
      library.append(JOINED.matcher(text).replaceAll(""));
    }
  }

  /** The cells of each row of all tables after a heading, up to the next one of its level. */
  List<List<String>> rows(String heading) {
    String level = heading.substring(0, heading.indexOf(' ') + 1);
    return page.lines()
        .dropWhile(line -> !line.equals(heading))
        .skip(1)
        .takeWhile(line -> !line.startsWith(level))
        .filter(line -> line.matches("\\| *\\d.*"))
        .map(line -> Stream.of(line.substring(1).split("\\|", -1)).map(String::strip).toList())
        .map(cells -> cells.subList(0, cells.size() - 1))
        .toList();
  }

  /** Tests that a text names, and that are not in the sources. */
  List<String> missing(String text) {
    List<String> missing = new ArrayList<>();
    for (MatchResult named : NAMED.matcher(text).results().toList()) {
      String source = sources.get(named.group(1));
      String method = named.group(2);
      if (source == null || (method != null && !isTest(source, method))) {
        missing.add(named.group());
      }
    }
    return missing;
  }

  /** How many tests a text names. */
  static long named(String text) {
    return NAMED.matcher(text).results().count();
  }

  /** A test by its class, or a contract, and its method; null for all methods. */
  record Named(String type, @Nullable String method) {}

  /** Each test that a text names. */
  static List<Named> testsIn(String text) {
    return NAMED
        .matcher(text)
        .results()
        .map(named -> new Named(named.group(1), named.group(2)))
        .toList();
  }

  /** Whether a method of that name has the annotation of a test, somewhere above it. */
  private static boolean isTest(String source, String method) {
    List<String> lines = source.lines().toList();
    Pattern declared = Pattern.compile("^ +(?:[a-z]+ )*void " + method + "\\(.*");
    for (int i = 0; i < lines.size(); i++) {
      if (declared.matcher(lines.get(i)).matches()) {
        for (int above = i - 1; above >= 0 && !lines.get(above).isBlank(); above--) {
          if (ANNOTATED.matcher(lines.get(above)).find()) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a test, named as in a table, has three words of a message in a row. */
  boolean quotes(String test, String message) {
    Matcher named = NAMED.matcher(test);
    if (!named.matches()) {
      return false;
    }
    List<String> lines = String.valueOf(sources.get(named.group(1))).lines().toList();
    Pattern declared = Pattern.compile("^ +(?:[a-z]+ )*void " + named.group(2) + "\\(.*");
    int at = 0;
    while (at < lines.size() && !declared.matcher(lines.get(at)).matches()) {
      at++;
    }
    int begin = at;
    while (begin > 0 && !lines.get(begin - 1).isBlank()) {
      begin--;
    }
    int end = at;
    while (end < lines.size() && !lines.get(end).equals("  }")) {
      end++;
    }
    String text = JOINED.matcher(String.join("\n", lines.subList(begin, end))).replaceAll("");
    String said = words(text);
    String[] words = words(message).split(" ", -1);
    return IntStream.range(0, words.length - 2)
        .anyMatch(i -> said.contains(words[i] + " " + words[i + 1] + " " + words[i + 2]));
  }

  private static String words(String text) {
    return text.replaceAll("[^A-Za-z']+", " ").strip();
  }

  /** What a message has, as a page writes it, that no literal of the library has. */
  List<String> unsaid(String message) {
    String words = message.replaceFirst(" \\(\\w+=.*", "");
    return Stream.of(words.split("\\.\\.\\.|[;:] "))
        .map(String::strip)
        .filter(each -> each.length() > 11)
        .filter(each -> library.indexOf(each.replace("\"", "\\\"")) < 0)
        .toList();
  }
}
