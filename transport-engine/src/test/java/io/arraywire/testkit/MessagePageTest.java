package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ElementType;
import io.arraywire.message.Message;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/array-message.md} says what the code does, and its examples are the golden files. */
class MessagePageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();
  private static final Path GOLDEN =
      ROOT.resolve("transport-testkit/src/main/resources/io/arraywire/testkit/golden");

  private static List<String> page() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/array-message.md"));
  }

  @Test
  void theExamplesAreTheGoldenFilesAndNoneIsMissing() throws IOException {
    Map<String, StringBuilder> examples = new LinkedHashMap<>();
    StringBuilder hex = null;
    for (String line : page()) {
      if (line.startsWith("```hex ")) {
        hex = new StringBuilder();
        examples.put(line.substring("```hex ".length()), hex);
      } else if (line.equals("```")) {
        hex = null;
      } else if (hex != null) {
        hex.append(line.replaceFirst(";.*", "").replace(" ", ""));
      }
    }
    for (Map.Entry<String, StringBuilder> example : examples.entrySet()) {
      assertThat(example.getValue().toString())
          .as(example.getKey())
          .isEqualTo(HexFormat.of().formatHex(golden(example.getKey())));
    }
    try (Stream<Path> files = Files.list(GOLDEN.resolve("message-v2"))) {
      assertThat(examples.keySet())
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> "message-v2/" + file.getFileName()).collect(Collectors.toList()));
    }
  }

  private static byte[] golden(String file) throws IOException {
    try (InputStream in = MessagePageTest.class.getResourceAsStream("golden/" + file)) {
      assertThat(in).as("golden file " + file).isNotNull();
      return in.readAllBytes();
    }
  }

  @Test
  void theLimitsAreThoseOfTheCode() throws IOException {
    Map<String, String> most =
        page().stream()
            .dropWhile(line -> !line.equals("## Limits"))
            .filter(line -> line.startsWith("|"))
            .map(line -> line.split("\\|"))
            .collect(Collectors.toMap(cells -> cells[1].strip(), cells -> cells[3].strip()));
    assertThat(most)
        .containsEntry("parts", Message.MAX_PARTS + ", or the reader's limit")
        .containsEntry("name bytes", String.valueOf(Message.MAX_NAME_BYTES))
        .containsEntry("dimensions", String.valueOf(Message.MAX_DIMENSIONS))
        .containsEntry("strings", String.valueOf(Message.MAX_ATTRIBUTES))
        .containsEntry("key bytes", String.valueOf(Message.MAX_KEY_BYTES))
        .containsEntry("value bytes", String.valueOf(Message.MAX_VALUE_BYTES))
        .containsEntry(
            "key and value bytes of all strings", String.valueOf(Message.MAX_ATTRIBUTE_BYTES));
  }

  @Test
  void theElementTypesAreThoseOfTheCode() throws IOException {
    String page = String.join(" ", page());
    for (ElementType type : ElementType.values()) {
      assertThat(page).contains("`" + type.typeName() + "` " + type.code());
    }
  }
}
