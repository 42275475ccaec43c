package io.arraywire.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which tests run for each change and which nightly, on JDK 17 and on the newest, plain and over
 * TLS: by their tags in the sources, and what {@code .ci/run} and {@code .ci/nightly} leave out.
 */
final class TestRuns {
  /** When a test runs on a JDK. */
  enum Run {
    CHANGE,
    NIGHTLY,
    NEVER
  }

  private static final Pattern TYPE =
      Pattern.compile(
          "^( *)((?:public |private |protected |abstract |static |final |sealed |non-sealed )*)"
              + "(?:class|interface|record|enum) (\\w+)(.*)$");
  private static final Pattern METHOD = Pattern.compile("^( +)(?:[a-z]+ )*void (\\w+)\\(.*");
  private static final Pattern ANNOTATED =
      Pattern.compile(
          "@(Test|ParameterizedTest|FuzzTest|RepeatedTest|TestFactory|Property|EnumSource)\\b");
  private static final Pattern TAG = Pattern.compile("@Tag\\(\"(\\w+)\"\\)");
  private static final Pattern RUNNABLE = Pattern.compile("\\w+(?:Test|Tests|IT)");

  /** Classes whose tests are over TLS; others are plain but for methods that say so. */
  private static final Pattern OVER_TLS = Pattern.compile(".*(?:Tls|Certificate|ForeignEngines).*");

  private static final Pattern METHOD_OVER_TLS = Pattern.compile("overTls\\w*|\\w*OverTls\\w*");

  /** Those of which one test is about both. */
  private static final Set<String> BOTH =
      Set.of("SimulationTest", "SoakTest", "LibraryArchitectureTest");

  private final Map<String, Type> types = new HashMap<>();
  private final List<Type> all = new ArrayList<>();
  private final Map<Type, Set<Type>> ancestors = new HashMap<>();

  // What the scripts leave out.
  private final Set<String> leftOutOnNewest;
  private final Set<String> leftOutOn17;
  private final Set<String> leftOutOfSlow;
  private final boolean slowOn17;

  private TestRuns(String run, String nightly) {
    leftOutOnNewest = words(found(run, "\non_newest=([a-z,]+)\n"));
    leftOutOn17 = words(found(run, "\non_17=\"\\$on_newest,([a-z,]+)\"\n"));
    leftOutOn17.addAll(leftOutOnNewest);
    leftOutOfSlow = words(found(run, "slow_tests\\(\\) \\{[^#]*?excludedGroups=([a-z,]+)"));
    String everything = found(nightly, "everything\\(\\) \\{[^#]*?excludedGroups=([a-z,]+)");
    if (!everything.equals("slow")) {
      throw new IllegalStateException(
          ".ci/nightly leaves out more than the slow tests (excludedGroups=" + everything + ")");
    }
    String unused = found(nightly, "\n *section [^\n]*everything verify-17()\n");
    unused = found(nightly, "\n *section [^\n]*everything \"verify-\\$newest_major\"()\n");
    unused = found(nightly, "\n *section [^\n]*every_slow_test \"slow-\\$newest_major\"()\n");
    slowOn17 =
        Pattern.compile("\n *section [^\n]*every_slow_test slow-17\n").matcher(nightly).find();
  }

  private static String found(String script, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(script);
    if (!matcher.find()) {
      throw new IllegalStateException("a script of .ci has no longer (pattern=" + pattern + ")");
    }
    return matcher.group(1);
  }

  private static Set<String> words(String list) {
    return new HashSet<>(List.of(list.split(",", -1)));
  }

  /** A class or an interface of the tests. */
  private static final class Type {
    final String name;
    final String module;
    final Path file;
    final @Nullable Type outer;
    final boolean isAbstract;
    final boolean nested;
    final Set<String> tags;
    final Set<String> supers = new HashSet<>();
    final Map<String, @Nullable Set<String>> methods = new HashMap<>();

    Type(
        String name,
        String module,
        Path file,
        @Nullable Type outer,
        boolean isAbstract,
        boolean nested,
        Set<String> tags) {
      this.name = name;
      this.module = module;
      this.file = file;
      this.outer = outer;
      this.isAbstract = isAbstract;
      this.nested = nested;
      this.tags = tags;
    }

    boolean isRunnable() {
      Type in = outer;
      return !isAbstract
          && (in == null ? RUNNABLE.matcher(name).matches() : nested && in.isRunnable());
    }

    boolean isOverTls() {
      Type in = outer;
      return OVER_TLS.matcher(name).matches() || (in != null && in.isOverTls());
    }
  }

  /** A test as a class runs it. */
  record Execution(String module, Set<String> tags, boolean plain, boolean tls) {}

  static TestRuns read(Path root) throws IOException {
    TestRuns runs =
        new TestRuns(
            Files.readString(root.resolve(".ci/run")),
            Files.readString(root.resolve(".ci/nightly")));
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.filter(each -> Files.exists(each.resolve("src"))).toList()) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
            runs.add(module.getFileName().toString(), file);
          }
        }
      }
    }
    return runs;
  }

  private void add(String module, Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    Deque<Type> open = new ArrayDeque<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      Matcher type = TYPE.matcher(line);
      Matcher method = METHOD.matcher(line);
      if (type.matches()) {
        int depth = type.group(1).length() / 2;
        while (open.size() > depth) {
          open.pop();
        }
        if (open.size() == depth) {
          StringBuilder header = new StringBuilder(type.group(4));
          for (int j = i + 1; header.indexOf("{") < 0 && j < lines.size(); j++) {
            header.append(' ').append(lines.get(j).strip());
          }
          List<String> above = above(lines, i);
          Type added =
              new Type(
                  type.group(3),
                  module,
                  file,
                  open.peek(),
                  type.group(2).contains("abstract ") || line.contains("interface "),
                  above.stream().anyMatch(each -> each.startsWith("@Nested")),
                  tags(above));
          added.supers.addAll(supers(header.substring(0, header.indexOf("{"))));
          open.push(added);
          all.add(added);
          if (added.outer == null) {
            types.put(added.name, added);
          }
        }
      } else if (method.matches() && open.peek() != null) {
        Type owner = open.peek();
        while (open.size() > method.group(1).length() / 2) {
          open.pop();
          owner = open.peek();
        }
        if (owner != null && open.size() == method.group(1).length() / 2) {
          List<String> above = above(lines, i);
          boolean isTest = above.stream().anyMatch(each -> ANNOTATED.matcher(each).find());
          owner.methods.merge(
              method.group(2), isTest ? tags(above) : Set.of("none"), TestRuns::theTest);
        }
      }
    }
  }

  /** Of methods of one name, that which is a test. */
  private static Set<String> theTest(Set<String> one, Set<String> other) {
    return one.contains("none") ? other : one;
  }

  private static List<String> above(List<String> lines, int at) {
    List<String> above = new ArrayList<>();
    for (int i = at - 1; i >= 0 && !lines.get(i).isBlank(); i--) {
      above.add(lines.get(i).strip());
    }
    return above;
  }

  private static Set<String> tags(List<String> annotations) {
    Set<String> tags = new HashSet<>();
    for (String each : annotations) {
      Matcher tag = TAG.matcher(each);
      if (tag.lookingAt()) {
        tags.add(tag.group(1));
      }
    }
    return tags;
  }

  private static Set<String> supers(String header) {
    String plain = header;
    for (String before = ""; !before.equals(plain); ) {
      before = plain;
      plain = plain.replaceAll("<[^<>]*>|\\([^()]*\\)", "");
    }
    Set<String> supers = new HashSet<>();
    for (String word : plain.replaceAll("\\bpermits .*", "").split("[\\s,]+", -1)) {
      if (!word.isEmpty() && !word.equals("extends") && !word.equals("implements")) {
        supers.add(word.substring(word.lastIndexOf('.') + 1));
      }
    }
    return supers;
  }

  private List<Type> supersOf(Type type) {
    List<Type> supers = new ArrayList<>();
    for (String name : type.supers) {
      Type beside =
          all.stream()
              .filter(each -> each.file.equals(type.file) && each.name.equals(name))
              .findFirst()
              .orElse(types.get(name));
      if (beside != null) {
        supers.add(beside);
      }
    }
    return supers;
  }

  private Set<Type> ancestors(Type type) {
    return ancestors.computeIfAbsent(type, this::findAncestors);
  }

  private Set<Type> findAncestors(Type type) {
    Set<Type> found = new HashSet<>();
    Deque<Type> open = new ArrayDeque<>(List.of(type));
    while (!open.isEmpty()) {
      Type next = open.pop();
      if (found.add(next)) {
        open.addAll(supersOf(next));
      }
    }
    return found;
  }

  /** How a test runs that is named by its class, or a contract, and its method. */
  List<Execution> executions(PageOfTests.Named test) {
    String method = test.method();
    Type named = types.get(test.type());
    if (named == null) {
      return List.of();
    }
    List<Execution> executions = new ArrayList<>();
    if (named.module.equals("jcstress")) {
      executions.add(new Execution("jcstress", Set.of(), true, false));
    }
    for (Type type : all) {
      if (type.isRunnable()) {
        Set<Type> ancestors = ancestors(type);
        if (ancestors.contains(named)) {
          Set<String> tags = method == null ? Set.of() : ofMethod(type, ancestors, method);
          if (!tags.contains("none")) {
            executions.add(execution(type, ancestors, named, method, tags));
          }
        }
      }
    }
    return executions;
  }

  /** The tags of the method as a class has it: its own, or one that it inherits. */
  private static Set<String> ofMethod(Type type, Set<Type> ancestors, String method) {
    Set<String> own = type.methods.get(method);
    return own != null
        ? own
        : ancestors.stream()
            .map(each -> each.methods.get(method))
            .filter(each -> each != null)
            .findFirst()
            .orElse(Set.of("none"));
  }

  private static Execution execution(
      Type type, Set<Type> ancestors, Type named, @Nullable String method, Set<String> ofMethod) {
    Set<String> tags = new HashSet<>(ofMethod);
    ancestors.forEach(each -> tags.addAll(each.tags));
    for (Type outer = type.outer; outer != null; outer = outer.outer) {
      tags.addAll(outer.tags);
    }
    boolean both = BOTH.contains(named.name);
    boolean tls =
        type.isOverTls()
            || named.isOverTls()
            || (method != null && METHOD_OVER_TLS.matcher(method).matches());
    return new Execution(type.module, tags, both || !tls, both || tls);
  }

  /** When it runs first. */
  Run run(Execution execution, boolean newest) {
    Set<String> tags = execution.tags;
    boolean slow = tags.contains("slow");
    if (execution.module.equals("jcstress")) {
      return newest ? Run.CHANGE : Run.NEVER;
    }
    if (slow) {
      return newest && tags.stream().noneMatch(leftOutOfSlow::contains)
          ? Run.CHANGE
          : newest || slowOn17 ? Run.NIGHTLY : Run.NEVER;
    }
    boolean change =
        newest
            ? tags.stream().noneMatch(leftOutOnNewest::contains)
            : tags.stream().noneMatch(leftOutOn17::contains)
                && !execution.module.equals("benchmarks");
    return change ? Run.CHANGE : Run.NIGHTLY;
  }
}
