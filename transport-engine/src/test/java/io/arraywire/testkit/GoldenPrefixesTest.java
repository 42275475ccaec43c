package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Row 11: the stream ends behind each byte of each golden file. No part of an array is handed out,
 * what is missing is said in bytes, and all memory is back.
 */
class GoldenPrefixesTest {
  private static final Path FILES =
      Path.of("../transport-testkit/src/main/resources/io/arraywire/testkit/golden/wire-v2");

  private static final List<Encoding> ENCODINGS =
      List.of(
          Encoding.RAW_LITTLE_ENDIAN,
          Encoding.RAW_BIG_ENDIAN,
          Encoding.JAVA_OBJECT,
          Encoding.PROTOBUF);

  static Stream<String> files() throws IOException {
    List<String> names;
    try (Stream<Path> all = Files.list(FILES)) {
      names =
          all.map(path -> path.getFileName().toString())
              .filter(name -> name.endsWith(".bin"))
              .map(name -> name.substring(0, name.length() - ".bin".length()))
              .sorted()
              .toList();
    }
    // None was overlooked, and none that speaks of arrays, errors and handshakes is missing.
    assertThat(names).contains("array", "array-chunks", "error", "hello", "plain", "welcome");
    return names.stream();
  }

  @ParameterizedTest
  @MethodSource("files")
  void everyPrefixOfAFile(String name) throws IOException {
    byte[] all = GoldenWire.bytes(name);
    Set<Integer> boundaries = boundaries(name, all);
    EngineBench whole = fed(name, all);
    int arrays = whole.handler.arrays.size();
    ErrorCode end = code(whole.handler.cause);
    for (int length = 0; length < all.length; length++) {
      EngineBench bench = fed(name, Arrays.copyOf(all, length));
      ErrorCode code = code(bench.handler.cause);
      String at = name + " cut at " + length + ": " + bench.handler.cause;
      if (boundaries.contains(length)) {
        // Nothing is missing of a frame; of an array of several frames the rest is.
        assertThat(bench.handler.arrays.size()).as(at).isLessThanOrEqualTo(arrays);
      } else if (code != end) {
        assertThat(code).as(at).isEqualTo(ErrorCode.TRUNCATED);
        assertThat(bench.handler.cause).as(at).hasMessageContainingAll("received=", "expected=");
      }
      if (!name.equals("plain")) {
        assertThat(bench.handler.arrays).as(at).isEmpty();
      }
    }
  }

  /** Each encoding of each element type, in an array of one frame. */
  @Test
  void everyPrefixOfEveryEncoding() {
    for (Encoding encoding : ENCODINGS) {
      for (ElementType type : ElementType.values()) {
        for (int count : encoding.supports(type) ? GoldenArrays.COUNTS : List.<Integer>of()) {
          byte[] frame =
              RawFrame.array(
                      encoding.code(),
                      type.code(),
                      1,
                      count,
                      GoldenArrays.bytes(encoding, type, count))
                  .bytes();
          assertThat(fed("array", frame).handler.arrays).hasSize(1);
          for (int length = 1; length < frame.length; length++) {
            EngineBench bench = fed("array", Arrays.copyOf(frame, length));
            String at = encoding + " of " + count + " " + type + " cut at " + length;
            assertThat(bench.handler.arrays).as(at).isEmpty();
            assertThat(bench.handler.cause)
                .as(at)
                .matches(ErrorCode.TRUNCATED::isOf)
                .hasMessageContainingAll("received=", "expected=");
          }
        }
      }
    }
  }

  /** A connection that was opened, unless the file does that, and got so much. */
  private static EngineBench fed(String name, byte[] bytes) {
    TransportOptions.Builder options = EngineBench.options().checksums(Checksums.UNWANTED);
    EngineBench bench;
    if (name.equals("plain")) {
      bench = EngineBench.acceptor(options.plain(ElementType.FLOAT));
    } else if (isOfAcceptor(name)) {
      bench = EngineBench.connector(options);
    } else {
      bench = EngineBench.acceptor(options);
      if (!name.startsWith("hello")) {
        bench.open();
      }
    }
    bench.feed(bytes).end();
    bench.pump();
    assertThat(bench.isEnded()).as("%s: %s", name, bench.connection.describe()).isTrue();
    assertThat(bench.handler.closed).isOne();
    bench.assertNothingLeaks();
    return bench;
  }

  private static boolean isOfAcceptor(String name) {
    return name.equals("welcome") || name.equals("reject");
  }

  /** Where a frame or a message of a file ends. */
  private static Set<Integer> boundaries(String name, byte[] all) throws IOException {
    Set<Integer> ends = new TreeSet<>(List.of(0));
    if (name.equals("plain")) {
      ends.addAll(List.of(16, 20));
    } else if (!name.startsWith("hello") && !isOfAcceptor(name)) {
      ByteBuffer bytes = ByteBuffer.wrap(all);
      FrameHeader header = new FrameHeader();
      List<Integer> each = new ArrayList<>();
      while (bytes.remaining() >= FrameLayout.HEADER_BYTES) {
        header.read(bytes);
        bytes.position(bytes.position() + header.attributeBytes + (int) header.payloadBytes);
        each.add(bytes.position());
      }
      assertThat(each).last().isEqualTo(all.length);
      ends.addAll(each);
    }
    return ends;
  }

  private static ErrorCode code(ArraywireException cause) {
    // An orderly end of plain mode has no code; none of the cuts looks like it.
    return cause == null ? ErrorCode.CONNECTION_CLOSED : cause.code();
  }
}
