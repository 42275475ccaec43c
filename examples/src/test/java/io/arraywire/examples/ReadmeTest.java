package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.TransportObserver;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecProvider;
import io.arraywire.spi.Codecs;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the README and the other pages say is so. */
@Tag("newest")
class ReadmeTest {
  /** Methods that are no options, and options whose values are objects of the user's. */
  private static final Set<String> NO_TABLE_ROW =
      Set.of("toBuilder", "toString", "codecs", "handlerExecutor", "memoryPool", "observer");

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  private static String read(String file) throws IOException {
    return Files.readString(ROOT.resolve(file));
  }

  /** The fenced block after a line that begins so. */
  private static List<String> block(String page, String beginning) {
    List<String> lines = page.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(beginning)) {
        int from = i + 1;
        while (!lines.get(from).startsWith("```")) {
          from++;
        }
        int to = from + 1;
        while (!lines.get(to).equals("```")) {
          to++;
        }
        return lines.subList(from + 1, to);
      }
    }
    throw new AssertionError("no such block: " + beginning);
  }

  /** The cells of each row of the table after a heading, without backquotes. */
  private static List<List<String>> table(String page, String heading) {
    return page.substring(page.indexOf("\n" + heading + "\n"))
        .lines()
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> line.substring(1).replace("`", "").split("\\|"))
        .map(cells -> Stream.of(cells).map(String::strip).toList())
        .toList();
  }

  @Test
  void theHelloWorldIsTheOneThatIsCompiledAndRun() throws IOException {
    List<String> hello = block(read("README.md"), "<!-- The body of main");
    assertThat(hello).hasSize(7);
    assertThatIsTheBodyOfMain(hello, "HelloArrays");
  }

  /**
   * A newcomer sees what it is, how to try it, how to use it and how fast it is without scrolling.
   */
  @Test
  void theFirstPageIsShort() throws IOException {
    List<String> lines = read("README.md").lines().toList();
    assertThat(lines).hasSizeLessThanOrEqualTo(150);
    assertThat(String.join("\n", lines.subList(0, 50)))
        .contains("./arraywire demo", "mvn verify", "NioTransport.listen", "](docs/images/")
        .contains("`bbr`", "`cubic`");
    assertThat(read("README.md"))
        .contains(
            "**Strangers can reach the listener.**", "daemon threads", "`listener.awaitClosed()`")
        .contains(
            "takes " + bytes(TransportOptions.defaults().inboxBytes()) + "**",
            "up to " + bytes(TransportOptions.defaults().connectionInboxBytes()),
            bytes(TransportOptions.defaults().maxArrayBytes()) + " per array");
  }

  /** What it is in one sentence, against what a newcomer knows, and its readers. */
  @Test
  void theFirstPageComparesAndAdvises() throws IOException {
    String page = read("README.md");
    assertThat(page)
        .startsWith("# Arraywire\n\nArraywire sends Java primitive arrays between JVMs");
    assertThat(page.lines().takeWhile(line -> !line.startsWith("mvn verify")))
        .anySatisfy(line -> assertThat(line).contains("JDK 17", "Maven", "fresh clone"));
    String figures =
        page.substring(page.indexOf("\n## How fast\n"), page.indexOf("\n## What you get\n"));
    assertThat(figures)
        .contains("\n| Arraywire |", "\n| Plain socket", "\n| Netty", "\n| gRPC")
        .contains("\n| Arrow Flight |");
    assertThat(page)
        .contains("`./arraywire bench --peers", "1MiB-ratio.png)](docs/images/")
        .contains("\n## Do not use it when\n", "ends at once with status 0")
        .contains("](docs/options.md)", "](docs/cli.md)")
        .doesNotContain("\n## Limits and defaults\n");
  }

  /** The claim of the first screen follows from the table below it. */
  @Test
  void theFirstScreenSaysHowFast() throws IOException {
    List<String> page = read("README.md").lines().toList();
    double[] nio = micros(page, "`nio`");
    double[] netty = micros(page, "Netty, the best of four");
    assertThat(page.get(page.indexOf("| | |") + 2))
        .contains(
            String.format(
                Locale.ROOT, "in %.0f us with TCP `bbr` and %.0f us with `cubic`", nio[0], nio[1]))
        .contains(
            String.format(
                Locale.ROOT,
                "%.1f and %.1f times as fast as Netty",
                netty[0] / nio[0],
                netty[1] / nio[1]));
  }

  /** What a contender takes with {@code bbr} and with {@code cubic}. */
  private static double[] micros(List<String> page, String contender) {
    String row =
        page.stream().filter(line -> line.contains("| " + contender + " |")).findFirst().get();
    return Stream.of(row.split("\\|"))
        .map(String::strip)
        .filter(cell -> cell.endsWith(" us"))
        .mapToDouble(cell -> Double.parseDouble(cell.replace(" us", "")))
        .toArray();
  }

  /** What a reader wants to know, in the order in which it is asked. */
  @Test
  void theFirstPageHasItsOrder() throws IOException {
    assertThat(read("README.md"))
        .containsSubsequence(
            "| Runs on |",
            "| Not there |",
            "./arraywire demo",
            "<!-- The body of main",
            "\n## How fast\n",
            "\n## What you get\n",
            "\n## Do not use it when\n",
            "\n## Install\n",
            "\n## In short\n",
            "Handlers.answering",
            "\n## More\n");
    assertThat(
            read("README.md")
                .lines()
                .dropWhile(line -> !line.equals("## What you get"))
                .takeWhile(line -> !line.equals("## Do not use it when"))
                .filter(line -> line.startsWith("* ")))
        .hasSize(8)
        .allSatisfy(line -> assertThat(line).contains("]("));
  }

  /** Each page of the documentation can be reached from its contents. */
  @Test
  void theContentsHaveEveryPage() throws IOException {
    String contents = read("docs/README.md");
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      assertThat(docs.filter(page -> page.toString().endsWith(".md")))
          .map(page -> ROOT.resolve("docs").relativize(page).toString())
          .filteredOn(page -> !page.startsWith("adr/") && !page.equals("README.md"))
          .hasSizeGreaterThan(20)
          .allSatisfy(page -> assertThat(contents).contains("](" + page + ")"));
    }
    assertThat(contents).contains("](adr/README.md)");
    assertThat(read("README.md")).contains("](docs/README.md)");
  }

  @Test
  void theSessionsAndChannelsAreThoseThatAreCompiledAndRun() throws IOException {
    assertThatIsTheBodyOfMain(
        block(
            read("docs/guide.md"),
            "<!-- The body of main in examples/src/main/java/io/arraywire/examples/WeatherStation"),
        "WeatherStation");
  }

  @Test
  void theRowsAreThoseThatAreCompiledAndRun() throws IOException {
    assertThatIsTheBodyOfMain(
        block(
            read("docs/guide.md"),
            "<!-- The body of main in examples/src/main/java/io/arraywire/examples/ParticleStream"),
        "ParticleStream");
  }

  @Test
  void theRequestsAreThoseThatAreCompiledAndRun() throws IOException {
    assertThatIsTheBodyOfMain(
        block(
            read("docs/guide.md"),
            "<!-- The body of main in examples/src/main/java/io/arraywire/examples/Similarity"),
        "SimilarityService");
  }

  @Test
  void theSubscriptionsAreThoseThatAreCompiledAndRun() throws IOException {
    assertThatIsTheBodyOfMain(
        block(
            read("docs/guide.md"),
            "<!-- The body of main in examples/src/main/java/io/arraywire/examples/WeightsFeed"),
        "WeightsFeed");
  }

  @Test
  void theFileOfFeaturesIsTheOneThatIsCompiledAndRun() throws IOException {
    assertThatIsTheBodyOfMain(
        block(
            read("docs/guide.md"),
            "<!-- The body of main in examples/src/main/java/io/arraywire/examples/FeatureFile"),
        "FeatureFile");
  }

  private static void assertThatIsTheBodyOfMain(List<String> lines, String program)
      throws IOException {
    String indented =
        lines.stream().map(line -> "    " + line + "\n").collect(Collectors.joining());
    assertThat(
            Files.readString(
                ROOT.resolve("examples/src/main/java/io/arraywire/examples/" + program + ".java")))
        .contains("throws Exception {\n" + indented + "  }\n");
  }

  @Test
  void theDefaultsAreThoseOfTheOptions() throws IOException, ReflectiveOperationException {
    TransportOptions defaults = TransportOptions.defaults();
    Map<String, String> actual = new TreeMap<>();
    for (Method accessor : TransportOptions.class.getDeclaredMethods()) {
      String name = accessor.getName();
      if (Modifier.isPublic(accessor.getModifiers())
          && !Modifier.isStatic(accessor.getModifiers())
          && !NO_TABLE_ROW.contains(name)) {
        actual.put(name, documented(name, accessor.invoke(defaults)));
      }
    }
    Map<String, String> said = new TreeMap<>();
    for (List<String> row : table(read("docs/options.md"), "## Limits and defaults")) {
      said.put(row.get(0), row.get(1));
    }
    assertThat(said).isEqualTo(actual);
  }

  /** The table of limits of docs/security.md, against the code. */
  @Test
  void theLimitsAreThoseOfTheCode() throws ReflectiveOperationException, IOException {
    Map<String, String> actual = new LinkedHashMap<>();
    for (RecordComponent limit : AcceptLimits.class.getRecordComponents()) {
      Object value = limit.getAccessor().invoke(AcceptLimits.defaults());
      actual.put(limit.getName(), thousands(value));
    }
    actual.put("bytes of a handshake message", fixed("wire.Preamble", "MAX_MESSAGE_BYTES"));
    actual.put(
        "TLS handshakes that wait for a thread",
        fixed("engine.tls.HandshakeTasks", "MOST_WAITING"));
    actual.put("calls of the authenticator at a time", fixed("engine.Authentications", "MOST"));
    actual.put(
        "calls of the authenticator of one address",
        fixed("engine.Authentications", "MOST_OF_ADDRESS"));
    actual.put("bytes of a TLS record", fixed("engine.tls.TlsRecords", "MOST_RECORD_BYTES"));
    actual.put(
        "TLS records in a row that hold nothing",
        fixed("engine.tls.TlsInput", "MOST_EMPTY_RECORDS"));
    actual.put("frames without effect in 30 s", fixed("engine.EffectlessFrames", "FRAMES"));
    actual.put("bytes of a frame in 10 s, at least", fixed("engine.KeepAlive", "SLOW_BYTES"));
    Set<String> codes = new TreeSet<>();
    for (ErrorCode code : ErrorCode.values()) {
      codes.add(code.name());
    }
    Map<String, String> said = new LinkedHashMap<>();
    for (List<String> row : table(read("docs/security.md"), "## Every limit")) {
      String limit = row.get(0);
      said.put(limit, row.get(1));
      assertThat(codes).as(limit).contains(row.get(3));
      if (!actual.containsKey(limit)) {
        Object value = TransportOptions.class.getMethod(limit).invoke(TransportOptions.defaults());
        actual.put(limit, documented(limit, value));
      }
    }
    assertThat(said).isEqualTo(actual);
  }

  private static String thousands(Object number) {
    return String.format(Locale.ROOT, "%,d", ((Number) number).longValue());
  }

  /** A limit that is no option. */
  private static String fixed(String type, String name) throws ReflectiveOperationException {
    Field constant = Class.forName("io.arraywire." + type).getDeclaredField(name);
    constant.setAccessible(true);
    return thousands(constant.get(null));
  }

  /** A default as the page has it. */
  private static String documented(String option, @Nullable Object value) {
    if (option.equals("memoryBudgetBytes") && Objects.equals(value, 0L)) {
      return "a quarter of the heap";
    }
    if (option.equals("arrivalBytes") && Objects.equals(value, 0L)) {
      return "half of the heap";
    }
    if (value == null || value.equals(Long.MAX_VALUE)) {
      return "none";
    }
    if (value instanceof Duration duration) {
      return duration.toMillisPart() == 0
          ? duration.toSeconds() + " s"
          : duration.toMillis() + " ms";
    }
    if (value instanceof AcceptLimits) {
      return "defaults";
    }
    boolean isSize = option.endsWith("Bytes") && !value.equals(0);
    return isSize ? bytes(((Number) value).longValue()) : value.toString();
  }

  private static String bytes(long bytes) {
    for (int unit = 3; unit > 0; unit--) {
      if (bytes % (1L << 10 * unit) == 0) {
        return (bytes >> 10 * unit) + " " + List.of("KiB", "MiB", "GiB").get(unit - 1);
      }
    }
    return bytes + " bytes";
  }

  @Test
  void whatAnObserverIsToldIsOnThePage() throws IOException {
    Set<String> said =
        table(read("docs/observing.md"), "## TransportObserver").stream()
            .flatMap(row -> Stream.of(row.get(0).split(", ")))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(said)
        .isEqualTo(
            Stream.of(TransportObserver.class.getDeclaredMethods())
                .filter(Method::isDefault)
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void theCodecsAreThoseThatAreInstalled() throws IOException {
    Map<String, List<String>> said = new LinkedHashMap<>();
    for (List<String> row : table(read("docs/guide.md"), "## Codecs")) {
      String name = row.get(0).split(" ")[0];
      said.put(name, List.of(row.get(1), row.get(2), row.get(4)));
    }
    Map<String, List<String>> actual = new LinkedHashMap<>();
    Map<Codec, String> packages = new HashMap<>();
    for (CodecProvider provider : ServiceLoader.load(CodecProvider.class)) {
      provider.codecs().forEach(codec -> packages.put(codec, provider.getClass().getPackageName()));
    }
    for (Codec codec : Codecs.installed()) {
      String encoding =
          switch (codec.name()) {
            case "direct" -> "the host's order: raw-le on nearly all";
            case "direct-be", "direct-le" -> "the other order";
            default -> codec.encoding().name();
          };
      String module = packages.get(codec).replaceFirst("io.arraywire.", "");
      actual.put(
          codec.name().equals("direct-le") ? "direct-be" : codec.name(),
          List.of(encoding, types(codec), module.equals("codec") ? "api" : module));
    }
    assertThat(said).isEqualTo(actual);
  }

  private static String types(Codec codec) {
    List<String> supported =
        Stream.of(ElementType.values())
            .filter(codec.encoding()::supports)
            .map(ElementType::typeName)
            .toList();
    return supported.size() == ElementType.values().length ? "all" : String.join(", ", supported);
  }

  /** The licence of the array that is shipped asks for its authors, source, licence and changes. */
  @Test
  void theDataSetIsCredited() throws IOException {
    String beside = "examples/src/main/resources/io/arraywire/examples/demo/README.md";
    for (String page : List.of(beside, "docs/cli.md")) {
      assertThat(read(page))
          .as(page)
          .contains("digits.npy", "Alpaydin", "https://doi.org/10.24432/C50P49", "CC BY 4.0")
          .contains("https://creativecommons.org/licenses/by/4.0/");
    }
    assertThat(read(beside)).contains("**Changes:**");
    assertThat(ROOT.resolve(beside).resolveSibling("digits.npy.gz")).exists();
    assertThat(read("docs/cli.md")).contains("](../" + beside + ")");
  }

  /** Every link to a file of this repository leads somewhere, to the heading if it names one. */
  @Test
  void linksLeadSomewhere() throws IOException {
    List<Path> pages = new ArrayList<>();
    for (String name :
        List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/README.md")) {
      pages.add(ROOT.resolve(name));
    }
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(page -> page.toString().endsWith(".md")).forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThan(15);
    for (Path page : pages) {
      Pattern link = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
      List<MatchResult> links = link.matcher(Files.readString(page)).results().toList();
      for (MatchResult each : links) {
        String file = each.group(1);
        Path target = file.isEmpty() ? page : page.resolveSibling(file);
        assertThat(target).as("linked from %s", page).exists();
        if (each.group(2) != null) {
          assertThat(anchors(target)).as("linked from %s", page).contains(each.group(2));
        }
      }
    }
  }

  private static List<String> anchors(Path page) throws IOException {
    return Files.readString(page)
        .lines()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .toList();
  }
}
