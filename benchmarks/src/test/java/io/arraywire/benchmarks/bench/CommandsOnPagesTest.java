package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.examples.cli.ArraywireCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The command has what the pages say of it. */
@Tag("newest")
class CommandsOnPagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** In a block or between backquotes; there it may go over lines. */
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?m)(?:^|`|\\()\\./arraywire ([^`]*?)(?:`|\\)|(?<!\\\\)\\R(?=```|\\S+/|\\.))");

  private static final Pattern SHELL = Pattern.compile("(?s)\\R```sh\\R(.*?)\\R```");
  private static final String COMMAND_WORD = "./arraywire ";
  private static final Pattern OPTION = Pattern.compile("(?<=\\s)--[a-z][a-z-]*");
  private static final Set<String> OF_BENCH = Set.of("compare", "report", "keep", "ratios");
  private static final Set<String> OF_THE_JVM = Set.of("--enable-native-access", "--add-opens");

  private final Map<String, String> help = new HashMap<>();

  private static List<String> commands(String page) throws IOException {
    List<String> commands = new ArrayList<>();
    String text = Files.readString(ROOT.resolve(page));
    for (MatchResult each : COMMAND.matcher(text).results().toList()) {
      commands.add(each.group(1));
    }
    return commands;
  }

  private String help(String command) {
    String[] words = command.strip().split("\\s+");
    List<String> path = new ArrayList<>();
    if (!words[0].startsWith("-")) {
      path.add(words[0]);
    }
    if (words[0].equals("bench") && words.length > 1 && OF_BENCH.contains(words[1])) {
      path.add(words[1]);
    }
    path.add("--help");
    return help.computeIfAbsent(
        String.join(" ", path),
        key -> {
          RecordedConsole console = new RecordedConsole();
          assertThat(Bench.execute(console.console(), key.split(" ")))
              .as("%s: %s", key, console.err())
              .isZero();
          return console.out();
        });
  }

  /** All that a reader may copy a command from; records of decisions tell what was then. */
  static List<String> pages() throws IOException {
    List<String> pages = new ArrayList<>(List.of("README.md", "CONTRIBUTING.md"));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.map(page -> ROOT.relativize(page).toString())
          .filter(page -> page.endsWith(".md") && !page.startsWith("docs/adr/"))
          .sorted()
          .forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThan(25);
    return pages;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyOptionIsOneOfItsCommand(String page) throws IOException {
    for (String command : commands(page)) {
      String words = help(command);
      for (MatchResult option : OPTION.matcher(" " + command).results().toList()) {
        if (!OF_THE_JVM.contains(option.group())) {
          assertThat(words).as("%s: ./arraywire %s", page, command).contains(option.group());
        }
      }
    }
  }

  /** Names of options do not tell whether the command takes the values that stand behind them. */
  @ParameterizedTest
  @MethodSource("pages")
  void everyCommandOfABlockIsOneThatItTakes(String page) throws IOException {
    for (List<String> words : blocks(page)) {
      RecordedConsole console = new RecordedConsole();
      CommandLine line =
          ArraywireCommand.line(console.console(), List.of(Bench.command(console.console())));
      assertThatCode(() -> line.parseArgs(words.toArray(String[]::new)))
          .as("%s: ./arraywire %s", page, words)
          .doesNotThrowAnyException();
    }
  }

  /** The words of each command in a block for a shell, without what the shell takes for itself. */
  private static List<List<String>> blocks(String page) throws IOException {
    List<List<String>> blocks = new ArrayList<>();
    String text = Files.readString(ROOT.resolve(page)).replaceAll("\\\\\\R\\s*", "");
    for (MatchResult block : SHELL.matcher(text).results().toList()) {
      for (String line : block.group(1).lines().toList()) {
        if (line.startsWith(COMMAND_WORD)) {
          String words =
              line.substring(COMMAND_WORD.length()).replaceFirst("\\s(?:#|\\||>|2>|&).*", "");
          blocks.add(List.of(words.strip().split("\\s+")));
        }
      }
    }
    return blocks;
  }

  @Test
  void theBlocksAreFound() throws IOException {
    assertThat(blocks("docs/cli.md")).hasSizeGreaterThan(30);
    assertThat(blocks("docs/tls.md"))
        .hasSize(2)
        .anyMatch(words -> words.containsAll(List.of("receive", "--listen", ":4711")));
  }

  @Test
  void theCommandsAreFound() throws IOException {
    assertThat(commands("README.md")).hasSizeGreaterThan(1);
    assertThat(commands("docs/benchmarks-running.md")).hasSizeGreaterThan(20);
    assertThat(commands("docs/benchmarks-figures.md")).hasSizeGreaterThan(5);
    assertThat(Stream.of("receive", "send", "bench", "--help"))
        .allSatisfy(
            word -> assertThat(commands("docs/cli.md")).anyMatch(each -> each.startsWith(word)));
  }
}
