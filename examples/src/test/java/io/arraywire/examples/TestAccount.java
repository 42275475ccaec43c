package io.arraywire.examples;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The account of tests, {@code .ci/tests.txt}: contracts, what they are made of and who extends
 * them, golden files, fuzz targets and their seeds, broken codecs, stress tests, slow tests and
 * integration tests. It is read from the sources, by text. {@code java
 * examples/src/test/java/io/arraywire/examples/TestAccount.java}, in the root, adds what is new; it
 * takes nothing away. Needs nothing but a JDK.
 */
final class TestAccount {
  static final String FILE = ".ci/tests.txt";

  private static final String HEAD =
      """
      # The account of tests: no contract, golden file, fuzz target, broken codec, stress test, slow test or integration
      # test disappears without a word. TestAccountTest compares it with the sources.
      #
      # After adding some:   java examples/src/test/java/io/arraywire/examples/TestAccount.java
      # After removing one:  replace its line, by hand, with one of
      #   gone KIND NAME => KIND NAME          what does its work now, which must be in this file
      #   gone KIND NAME => none: REASON       why nothing has to
      """;

  private static final String SLOW_KIND = "slow ";
  private static final String GONE = "gone ";
  private static final String ARROW = " => ";
  private static final String NONE = "none: ";
  private static final int SHORTEST_REASON = 20;

  private static final Pattern TEST =
      Pattern.compile("\\s*@(Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\\b.*");
  private static final Pattern FUZZ = Pattern.compile("\\s*@FuzzTest\\b.*");
  private static final Pattern STRESS = Pattern.compile("\\s*@JCStressTest\\b.*");
  private static final Pattern SLOW = Pattern.compile("\\s*@Tag\\(\"slow\"\\).*");
  private static final Pattern METHOD = Pattern.compile("\\s+[^@*/=]*?\\b(\\w+)\\(.*");
  private static final Pattern TYPE =
      Pattern.compile("\\s*(?:\\w+ )*(?:class|interface|record|enum) (\\w+).*");
  private static final Pattern HEADER =
      Pattern.compile("(?m)^\\s*(?:\\w+ )*(?:class|interface) (\\w+)([^{;]*)\\{");
  private static final Pattern SUITE = Pattern.compile("\\b(\\w*(?:Contract|Tests))\\b");
  private static final Pattern BROKEN =
      Pattern.compile("new BrokenCodec\\(\\s*((?:\"[^\"]*\"\\s*(?:\\+\\s*)?)+)");
  private static final Pattern WORDS = Pattern.compile("\"([^\"]*)\"");

  private final Path root;

  TestAccount(Path root) {
    this.root = root;
  }

  /** Adds what is new to the account. */
  public static void main(String[] arguments) throws IOException {
    TestAccount account = new TestAccount(Path.of("").toAbsolutePath());
    int before = account.listed().size();
    account.add();
    System.out.println(FILE + ": " + (account.listed().size() - before) + " added");
    for (String each : account.complaints()) {
      System.out.println(each);
    }
  }

  /** What is in the sources: lines of a kind, a blank and a name. */
  SortedSet<String> found() throws IOException {
    SortedSet<String> found = new TreeSet<>();
    for (Path file : files()) {
      String path = root.relativize(file).toString().replace('\\', '/');
      if (path.contains("/resources/")) {
        resource(path, found);
      } else if (path.endsWith(".java")) {
        source(file, found);
      }
    }
    return found;
  }

  private List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.toList()) {
        if (Files.isDirectory(module.resolve("src"))) {
          try (Stream<Path> all = Files.walk(module.resolve("src"))) {
            all.filter(Files::isRegularFile).forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  private static void resource(String path, SortedSet<String> found) {
    String name = path.substring(path.lastIndexOf("/io/arraywire/") + "/io/arraywire/".length());
    if (path.contains("/golden/") && !path.endsWith(".md")) {
      found.add("golden " + name);
    } else if (path.contains("FuzzTestInputs/") && !name.contains("/crash-")) {
      found.add("seed " + name);
    }
  }

  private void source(Path file, SortedSet<String> found) throws IOException {
    String text = Files.readString(file);
    String name = file.getFileName().toString().replaceAll("\\.java$", "");
    boolean test = file.toString().replace('\\', '/').contains("/src/test/");
    boolean suite = !test && SUITE.matcher(name).matches();
    if (test && name.endsWith("IT")) {
      found.add("integration " + name);
    }
    for (MatchResult header : HEADER.matcher(text).results().toList()) {
      for (MatchResult part : SUITE.matcher(header.group(2)).results().toList()) {
        String type = header.group(1).equals(name) ? name : name + "." + header.group(1);
        found.add((suite ? "part " : "extends ") + type + " " + part.group(1));
      }
    }
    for (MatchResult codec : BROKEN.matcher(text).results().toList()) {
      StringBuilder fault = new StringBuilder();
      WORDS.matcher(codec.group(1)).results().forEach(each -> fault.append(each.group(1)));
      found.add("broken " + fault);
    }
    annotated(text, name, suite, found);
  }

  /** Kinds of what follows an annotation, until the type or method that it is of. */
  private static void annotated(String text, String name, boolean suite, SortedSet<String> found) {
    List<String> kinds = new ArrayList<>();
    for (String line : text.lines().toList()) {
      if (suite && TEST.matcher(line).matches()) {
        kinds.add("contract ");
      } else if (FUZZ.matcher(line).matches()) {
        kinds.add("fuzz ");
      } else if (STRESS.matcher(line).matches()) {
        kinds.add("stress ");
      } else if (SLOW.matcher(line).matches()) {
        kinds.add(SLOW_KIND);
      } else if (!kinds.isEmpty()) {
        Matcher type = TYPE.matcher(line);
        Matcher method = METHOD.matcher(line);
        String of = null;
        if (type.matches()) {
          of = type.group(1).equals(name) ? name : name + "." + type.group(1);
        } else if (method.matches() && !line.strip().startsWith("@")) {
          of = name + "#" + method.group(1);
        }
        if (of != null) {
          for (String kind : kinds) {
            found.add(kind + of);
          }
          kinds.clear();
        }
      }
    }
  }

  /** A slow test that has become quick is still there. */
  private boolean isQuick(String listed) throws IOException {
    if (!listed.startsWith(SLOW_KIND)) {
      return false;
    }
    String[] parts = listed.substring(SLOW_KIND.length()).split("#");
    for (Path file : files()) {
      if (file.getFileName().toString().equals(parts[0] + ".java")) {
        return parts.length == 1 || Files.readString(file).contains("void " + parts[1] + "(");
      }
    }
    return false;
  }

  private List<String> lines() throws IOException {
    Path file = root.resolve(FILE);
    if (!Files.exists(file)) {
      return List.of();
    }
    return Files.readAllLines(file).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }

  /** What the account has of tests that are there. */
  SortedSet<String> listed() throws IOException {
    SortedSet<String> listed = new TreeSet<>(lines());
    listed.removeIf(line -> line.startsWith(GONE));
    return listed;
  }

  /** What the account has of tests that are gone, and what follows them. */
  Map<String, String> gone() throws IOException {
    Map<String, String> gone = new LinkedHashMap<>();
    for (String line : lines()) {
      if (line.startsWith(GONE)) {
        String[] parts = line.substring(GONE.length()).split(ARROW, 2);
        gone.put(parts[0].strip(), parts.length == 2 ? parts[1].strip() : "");
      }
    }
    return gone;
  }

  /** Adds what is found and not listed. */
  void add() throws IOException {
    SortedSet<String> all = listed();
    all.addAll(found());
    List<String> text = new ArrayList<>(all);
    lines().stream().filter(line -> line.startsWith(GONE)).sorted().forEach(text::add);
    Files.writeString(root.resolve(FILE), HEAD + String.join("\n", text) + "\n");
  }

  /** What is wrong with the account, a line for each. */
  List<String> complaints() throws IOException {
    SortedSet<String> found = found();
    SortedSet<String> listed = listed();
    Map<String, String> gone = gone();
    List<String> complaints = new ArrayList<>();
    for (String each : found) {
      if (!listed.contains(each)) {
        complaints.add("not in " + FILE + ", run TestAccount: " + each);
      }
    }
    for (String each : listed) {
      if (!found.contains(each) && !isQuick(each)) {
        complaints.add("disappeared; replace its line with its successor: " + each);
      }
    }
    gone.forEach((each, successor) -> {
      boolean reasoned =
          successor.startsWith(NONE) && successor.length() - NONE.length() >= SHORTEST_REASON;
      if (found.contains(each)) {
        complaints.add("is there and said to be gone: " + each);
      } else if (!reasoned && !listed.contains(successor) && !gone.containsKey(successor)) {
        complaints.add("has no successor in " + FILE + ": " + each + ARROW + successor);
      }
    });
    for (String each : everListed()) {
      if (!listed.contains(each) && !gone.containsKey(each)) {
        complaints.add("was in " + FILE + " and has no line any more: " + each);
      }
    }
    return complaints;
  }

  /** What commits took out of the account; nothing where there is no git. */
  private SortedSet<String> everListed() throws IOException {
    SortedSet<String> removed = new TreeSet<>();
    if (!Files.exists(root.resolve(".git"))) {
      return removed;
    }
    Process git =
        new ProcessBuilder("git", "log", "--no-color", "--format=", "-p", "-U0", "--", FILE)
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String log = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    for (String line : log.lines().toList()) {
      if (line.matches("-[a-z]+ \\S.*") && !line.startsWith("-" + GONE)) {
        removed.add(line.substring(1));
      }
    }
    return removed;
  }
}
