package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many lines of code the published modules have but the test kit, without blanks and comments,
 * and what they belong to. The table of {@code docs/architecture.md} says the same.
 */
@Tag("newest")
class LibrarySizeTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..");

  /** What is counted together, and the files that it has: the first line that fits decides. */
  private static final String PARTS =
      """
      client: ^transport-client/
      Kafka: ^transport-kafka/
      Micrometer: ^transport-micrometer/
      transport in memory: /memory/[^/]*$
      TLS: /tls/|Tls|/Pem|PeerTrust|Certificate|ContextEngines
      who may connect and do what: /security/|Admission|AcceptPauses|Permission|Authentic|Credentials|PeerFault
      compression: ^transport-compression/|Block|LinkRate|WindowSample|PartChoice|MessageEncodings|Compression
      messages of parts: /message/|Parts|PartCursor
      sources and sinks: /source/|SourceFailure|BrokenSources|OpenedSource|WritingSink|MovableSink
      sessions: Session|RetainedSends|Reconnect|/Dialer|DeliveryGuard|AttemptTime
      requests and subscriptions: Request|Reply|Subscri|Publication|Publish|Subjects|Exchanges|Unreachables
      limits of memory: Budget|Arrival|InboxShare|HeldArrays|Bookkeeping
      handlers on the event loop: LoopTurn|LoopThread|LoopStandby|LoopHeld|LoopTasks|ShortCalls|HandlerCalls|HandlerWait|HelpedStage
      transport nio: ^transport-nio/
      transport stream: ^transport-stream/
      wire: /wire/|/frame/
      codecs and SPI: /codec/|/spi/
      rest of the API: ^transport-api/
      rest of the engine: ^transport-engine/
      """;

  private static final Pattern ROW = Pattern.compile("\\| ([^|]+) \\| ([\\d,]+) \\|.*");

  /** Strings are there so that nothing in them looks like a comment. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"\"\"(?:\\\\.|(?!\"\"\").)*+\"\"\"|\"(?:\\\\.|[^\"\\\\\\n])*+\"|'(?:\\\\.|[^'\\\\\\n])++'"
              + "|(/\\*.*?\\*/|//[^\\n]*)",
          Pattern.DOTALL);

  @Test
  void thePageSaysWhatTheLinesBelongTo() throws IOException {
    Map<String, Long> counted = count();
    long all = counted.values().stream().mapToLong(each -> each).sum();
    System.out.printf("lines of code: %,d%n", all);
    counted.forEach((part, lines) -> System.out.printf("| %s | %,d |%n", part, lines));
    Map<String, Long> said = onThePage();
    counted.put("all", all);
    assertThat(said.keySet()).containsExactlyInAnyOrderElementsOf(counted.keySet());
    counted.forEach((part, lines) ->
        assertThat(said.get(part))
            .as("lines of '%s' in docs/architecture.md; write the new figure there", part)
            .isCloseTo(lines, within(Math.max(100, lines / 20))));
  }

  private static Map<String, Long> count() throws IOException {
    Map<String, Pattern> parts = new LinkedHashMap<>();
    Map<String, Long> lines = new LinkedHashMap<>();
    for (String line : PARTS.lines().toList()) {
      String name = line.substring(0, line.indexOf(": "));
      parts.put(name, Pattern.compile(line.substring(name.length() + 2)));
      lines.put(name, 0L);
    }
    for (Path module : modules()) {
      try (Stream<Path> files = Files.walk(module.resolve("src/main"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String path = ROOT.relativize(file).toString().replace('\\', '/');
          String part =
              parts.entrySet().stream()
                  .filter(each -> each.getValue().matcher(path).find())
                  .findFirst()
                  .orElseThrow()
                  .getKey();
          lines.merge(part, linesOfCode(Files.readString(file)), Long::sum);
        }
      }
    }
    assertThat(lines.values()).allMatch(each -> each > 0);
    return lines;
  }

  private static long linesOfCode(String source) {
    return TOKEN
        .matcher(source)
        .replaceAll(token ->
            Matcher.quoteReplacement(
                token.group(1) == null ? token.group() : token.group().replaceAll("[^\\n]", "")))
        .lines()
        .filter(line -> !line.isBlank())
        .count();
  }

  private static List<Path> modules() throws IOException {
    try (Stream<Path> all = Files.list(ROOT)) {
      List<Path> modules =
          all.filter(each -> each.getFileName().toString().matches("transport-(?!testkit).*"))
              .sorted()
              .toList();
      assertThat(modules).hasSize(8);
      return modules;
    }
  }

  /** The rows of the table behind the page's heading. */
  private static Map<String, Long> onThePage() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/architecture.md"));
    int begin = page.indexOf("\n## How large it is\n");
    assertThat(begin).isPositive();
    int end = page.indexOf("\n## ", begin + 1);
    Map<String, Long> rows = new LinkedHashMap<>();
    for (String line : page.substring(begin, end).lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        rows.put(row.group(1), Long.parseLong(row.group(2).replace(",", "")));
      }
    }
    return rows;
  }
}
