package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.Message;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** {@code docs/protocol.md} says what the code does, and its examples are the golden files. */
class ProtocolPageTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..").normalize();

  private static List<String> page() throws IOException {
    return Files.readAllLines(ROOT.resolve("docs/protocol.md"));
  }

  /** The fenced blocks whose fence begins so, by the rest of their fence. */
  private static Map<String, List<String>> blocks(String fence) throws IOException {
    Map<String, List<String>> blocks = new LinkedHashMap<>();
    List<String> block = null;
    for (String line : page()) {
      if (block != null && line.equals("```")) {
        block = null;
      } else if (block != null) {
        block.add(line);
      } else if (line.startsWith(fence)) {
        block = new ArrayList<>();
        blocks.put(line.substring(fence.length()).strip(), block);
      }
    }
    return blocks;
  }

  /** The rows of the table after a heading, with stars and backquotes taken out. */
  static List<List<String>> table(String heading) throws IOException {
    return page().stream()
        .dropWhile(line -> !line.equals(heading))
        .dropWhile(line -> !line.startsWith("|"))
        .takeWhile(line -> line.startsWith("|"))
        .skip(2)
        .map(line -> line.substring(1).replaceAll("[`*]", "").split("\\|"))
        .map(cells -> Stream.of(cells).map(String::strip).toList())
        .toList();
  }

  @Test
  void theExamplesAreTheGoldenFiles() throws IOException {
    Map<String, List<String>> examples = blocks("```hex ");
    assertThat(examples).hasSizeGreaterThan(8);
    for (Map.Entry<String, List<String>> example : examples.entrySet()) {
      StringBuilder hex = new StringBuilder();
      for (String line : example.getValue()) {
        hex.append(line.replaceFirst(";.*", "").replace(" ", ""));
      }
      assertThat(HexFormat.of().formatHex(golden(example.getKey())))
          .as(example.getKey())
          .isEqualTo(hex.toString());
    }
  }

  private static byte[] golden(String file) throws IOException {
    try (InputStream in = ProtocolPageTest.class.getResourceAsStream("golden/" + file)) {
      assertThat(in).as("golden file " + file).isNotNull();
      return in.readAllBytes();
    }
  }

  @Test
  void theMessagesAreThoseOfTheSchema() throws IOException {
    assertThat(blocks("```protobuf").values())
        .containsExactly(
            Files.readAllLines(
                ROOT.resolve("transport-engine/src/main/proto/arraywire/handshake.proto")));
  }

  @Test
  void theErrorCodesAreThoseOfTheCode() throws IOException {
    assertThat(table("## Error codes"))
        .extracting(row -> row.get(0).replace(" ", "") + " " + row.get(1))
        .containsExactlyElementsOf(
            Stream.of(ErrorCode.values()).map(code -> code.number() + " " + code).toList());
  }

  @Test
  void theFrameTypesAreThoseOfTheCode() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int code = 1; code <= 15; code++) {
      FrameType type = FrameType.fromCode(code);
      expected.add(code + " " + (type == null ? "CREDIT" : type));
    }
    assertThat(table("## Frame types"))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void theElementTypesAreThoseOfTheCode() throws IOException {
    List<String> expected = new ArrayList<>();
    for (ElementType type : ElementType.values()) {
      expected.add(type.code() + " " + type.typeName() + " " + type.bytes());
    }
    assertThat(table("## Element types"))
        .extracting(row -> row.get(0) + " " + row.get(1) + " " + row.get(2))
        .containsExactlyElementsOf(expected);
  }

  @Test
  void theEncodingsAreThoseOfTheCode() throws IOException {
    assertThat(table("## Encodings"))
        .extracting(row -> row.get(0) + " " + row.get(1))
        .containsExactly(
            named(Encoding.RAW_LITTLE_ENDIAN),
            named(Encoding.RAW_BIG_ENDIAN),
            named(Encoding.JAVA_OBJECT),
            named(Encoding.PROTOBUF),
            named(Encoding.SHUFFLE_ZSTD),
            named(Encoding.SHUFFLE_LZ4),
            named(Encoding.FLOAT_BF16),
            named(Encoding.FLOAT_FP16),
            Encoding.FIRST_CUSTOM_CODE + " to 255 any");
  }

  private static String named(Encoding encoding) {
    return encoding.code() + " " + encoding.name();
  }

  @Test
  void theLimitsAreThoseOfTheCode() throws IOException {
    Map<String, String> said = new LinkedHashMap<>();
    table("## Limits").forEach(row -> said.put(row.get(0), row.get(1)));
    assertThat(said)
        .containsEntry("handshake message", Preamble.MAX_MESSAGE_BYTES + " bytes")
        .containsEntry("attributes of an array", FrameLayout.MAX_ATTRIBUTE_BYTES + " bytes")
        .containsEntry(
            "strings in them",
            Message.MAX_ATTRIBUTES + ", of " + Message.MAX_ATTRIBUTE_BYTES + " bytes together")
        .containsEntry("parts of a message", String.valueOf(Message.MAX_PARTS))
        .containsEntry("dimensions", String.valueOf(ArrayAttributes.MAX_DIMENSIONS))
        .containsEntry("payload of a control frame", FrameLayout.MAX_CONTROL_BYTES + " bytes")
        .containsEntry("prefix of an encoding", Encoding.MAX_PREFIX_BYTES + " bytes");
  }

  @Test
  void theChecksumIsCrc32c() throws IOException {
    CRC32C checksum = new CRC32C();
    checksum.update("123456789".getBytes(StandardCharsets.US_ASCII));
    String value = "0x" + Long.toHexString(checksum.getValue());
    assertThat(page()).anyMatch(line -> line.contains("`123456789` is `" + value + "`"));
  }
}
