package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Ten lines of Python that know nothing but plain mode, and Python's own protobuf, against this
 * program.
 */
@Tag("newest")
class PythonIT {
  @TempDir Path dir;

  @BeforeEach
  void requirePython() throws InterruptedException {
    Python.require();
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void pythonSends(String transport) throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path flat = NpyFiles.random(dir.resolve("flat.npy"), "<f4", 100_003);
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive",
            "--transport",
            transport,
            "--listen",
            "127.0.0.1:0",
            "--plain",
            "--type",
            "float",
            "--out",
            dir,
            "--count",
            2)) {
      String port = receiver.awaitListening().split(":")[1];
      try (CliProcess python = Python.start(dir, "plain_send.py", port, digits, flat)) {
        assertThat(python.awaitExit()).as(python.toString()).isZero();
      }
      assertThat(receiver.awaitExit()).as(receiver.toString()).isZero();
      assertThat(receiver.err()).isEmpty();
    }
    // Plain mode has no shape: the digits come as one row of 1797 * 64.
    byte[] first = Files.readAllBytes(dir.resolve("array-000001.npy"));
    byte[] sent = Files.readAllBytes(digits);
    assertThat(new String(first, 0, 128, java.nio.charset.StandardCharsets.ISO_8859_1))
        .contains("'shape': (115008,)");
    assertThat(ByteBuffer.wrap(first, 128, 460032)).isEqualTo(ByteBuffer.wrap(sent, 128, 460032));
    assertThat(dir.resolve("array-000002.npy")).hasSameBinaryContentAs(flat);
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void pythonReceives(String transport) throws Exception {
    Path flat = NpyFiles.random(dir.resolve("flat.npy"), "<f4", 100_003);
    Path got = dir.resolve("got.npy");
    try (CliProcess python = Python.start(dir, "plain_receive.py", got)) {
      String address = python.awaitListening();
      try (CliProcess sender =
          CliProcess.arraywire(
              "send", "--transport", transport, "--plain", "--to", address, flat)) {
        assertThat(sender.awaitExit()).as(sender.toString()).isZero();
      }
      assertThat(python.awaitExit()).as(python.toString()).isZero();
    }
    assertThat(got).hasSameBinaryContentAs(flat);
  }

  @ParameterizedTest
  @CsvSource({
    "FLOAT, float, 1", "FLOAT, float, 1000", "INT, sfixed32, 1000", "DOUBLE, double, 1000",
    "LONG, sfixed64, 1000", "INT, sfixed32, 0", "FLOAT, float, 31", "FLOAT, float, 32"
  })
  void pythonsProtobufReadsAndWritesOurPayload(ElementType type, String proto, int count)
      throws Exception {
    Object array = values(type, count);
    byte[] ours = encode(type, array, count);
    Path payload = Files.write(dir.resolve("ours.bin"), ours);
    Path theirs = dir.resolve("theirs.bin");
    try (CliProcess python = Python.start(dir, "protobuf_payload.py", proto, payload, theirs)) {
      assertThat(python.awaitExit()).as(python.toString()).isZero();
      assertThat(python.out()).containsExactly(bits(type, array, count));
    }
    assertThat(Files.readAllBytes(theirs)).isEqualTo(ours);

    Object decoded = decode(type, Files.readAllBytes(theirs), count);
    assertThat(bits(type, decoded, count)).isEqualTo(bits(type, array, count));
  }

  @Test
  void pythonReadsTheJsonAndTheFiles() throws Exception {
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    Path lines = dir.resolve("lines.json");
    try (CliProcess receiver =
        CliProcess.arraywire(
            "receive", "--listen", "127.0.0.1:0", "--json", "--out", dir, "--count", 1)) {
      String line =
          receiver.awaitOut("{\"event\":\"listening\",\"message\":\"listening on 127.0.0.1:");
      String port = line.substring(0, line.indexOf('"'));
      try (CliProcess sender =
          CliProcess.arraywire("send", "--json", "--to", "127.0.0.1:" + port, digits)) {
        assertThat(sender.awaitExit()).isZero();
        assertThat(receiver.awaitExit()).isZero();
        Files.write(lines, receiver.out());
        Files.write(lines, sender.out(), java.nio.file.StandardOpenOption.APPEND);
      }
    }
    try (CliProcess python =
        Python.start(dir, "json_lines.py", "event", lines, dir.resolve("array-000001.npy"))) {
      assertThat(python.awaitExit()).as(python.toString()).isZero();
      assertThat(python.out())
          .isEqualTo(List.of("listening", "array", "sent", "(1797, 64) float32"));
    }
  }

  private static Object values(ElementType type, int count) {
    Object array = type.newArray(count);
    for (int i = 0; i < count; i++) {
      switch (type.carrier()) {
        case FLOAT -> ((float[]) array)[i] = (i - 3) * 0.37f;
        case INT -> ((int[]) array)[i] = (i - 3) * 0x01234567;
        case DOUBLE -> ((double[]) array)[i] = (i - 3) * 0.37;
        case LONG -> ((long[]) array)[i] = (i - 3) * 0x0123456789abcdefL;
        default -> throw new IllegalArgumentException(type.typeName());
      }
    }
    return array;
  }

  private static byte[] encode(ElementType type, Object array, int count) {
    Codec codec = Codecs.named("protobuf");
    ByteBuffer bytes = ByteBuffer.allocate((int) codec.encoding().encodedBytes(type, count));
    codec.encoding().putPrefix(type, count, bytes);
    if (count > 0) {
      codec.encode(type, array, 0, count, bytes);
    }
    assertThat(bytes.hasRemaining()).isFalse();
    return bytes.array();
  }

  private static Object decode(ElementType type, byte[] payload, int count) throws Exception {
    Codec codec = Codecs.named("protobuf");
    ByteBuffer bytes = ByteBuffer.wrap(payload);
    Object array = type.newArray(count);
    codec.encoding().checkPrefix(type, count, bytes);
    if (count > 0) {
      codec.decode(type, bytes, array, 0, count);
    }
    assertThat(bytes.hasRemaining()).isFalse();
    return array;
  }

  private static String bits(ElementType type, Object array, int count) {
    ArraySlice slice = ArraySlice.ofArray(array).as(type);
    ByteBuffer bytes = ByteBuffer.allocate((int) slice.bytes());
    BulkElements.put(type, array, 0, count, bytes, ByteOrder.LITTLE_ENDIAN);
    StringBuilder words = new StringBuilder();
    for (int i = 0; i < count; i++) {
      words.append(i == 0 ? "" : " ");
      int at = i * type.bytes();
      words.append(HexFormat.of().formatHex(bytes.array(), at, at + type.bytes()));
    }
    return words.toString();
  }
}
