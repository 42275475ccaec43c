package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * How many lines the classes of the library's modules have, with comments, as a reader meets them.
 */
@Tag("newest")
class ClassSizesTest {
  /** A class that is larger mostly has more than one thing to do. */
  private static final int LARGE = 450;

  private static final int MOST_LARGE_ONES = 3;

  private static final int LARGEST = 700;
  private static final int MOST_PUBLIC_TYPES = 60;

  private static final String[] MODULES = {
    "transport-api",
    "transport-engine",
    "transport-stream",
    "transport-nio",
    "transport-micrometer",
    "transport-client",
    "transport-compression",
    "transport-kafka"
  };

  private static final Map<String, Integer> LINES = new TreeMap<>();

  @BeforeAll
  static void read() throws IOException {
    Path root = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..");
    for (String module : MODULES) {
      try (Stream<Path> files = Files.walk(root.resolve(module).resolve("src/main"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          LINES.merge(file.getFileName().toString(), Files.readAllLines(file).size(), Math::max);
        }
      }
    }
    assertThat(LINES).containsKeys("Engine.java", "NioTransport.java", "ArrayOutput.java");
  }

  private static Map<String, Integer> longerThan(int lines) {
    return LINES.entrySet().stream()
        .filter(file -> file.getValue() > lines)
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** {@code ArrayOutput} is one: the eight primitive types stand side by side in it. */
  @Test
  void fewClassesAreLarge() {
    Map<String, Integer> large = longerThan(LARGE);
    System.out.printf("classes of more than %d lines: %s%n", LARGE, new TreeMap<>(large));
    assertThat(large).hasSizeLessThanOrEqualTo(MOST_LARGE_ONES);
  }

  @Test
  void noClassIsVeryLarge() {
    assertThat(longerThan(LARGEST)).isEmpty();
  }

  /**
   * What a user meets first is not more than a reader can take in; the rest has packages of its
   * own.
   */
  @Test
  void thePackageThatUsersMeetFirstIsSmall() throws IOException {
    Path first =
        Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("../transport-api/src/main/java/io/arraywire");
    List<String> open = new ArrayList<>();
    try (Stream<Path> files = Files.list(first)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        if (Files.readAllLines(file).stream().anyMatch(line -> line.startsWith("public "))) {
          open.add(file.getFileName().toString());
        }
      }
    }
    System.out.printf("public types of io.arraywire: %d%n", open.size());
    assertThat(open).contains("Connection.java").hasSizeLessThanOrEqualTo(MOST_PUBLIC_TYPES);
  }
}
