package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.memory.Portions;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Frames of messages with a table of parts: as they must be, and as they must not. */
class EngineMessageTest {
  private static final Message SEARCH =
      Message.of("ids", new int[] {7, 42, 5})
          .with("scores", new float[] {0.5f, -1})
          .tag(9)
          .attribute("unit", "K");

  private static EngineBench bench() {
    return EngineBench.acceptor(EngineBench.options().checksums(Checksums.WANTED)).open();
  }

  /** What {@code make_wire_golden.py} wrote by the page, and what is written here. */
  @Test
  void theGoldenFilesAreReadAndWritten() {
    for (String name : List.of("parts", "parts-chunks")) {
      EngineBench bench = bench();
      bench.feed(GoldenWire.bytes(name));
      assertThat(bench.handler.arrays).hasSize(1);
      Message message = bench.handler.arrays.get(0).message();
      assertThat(message).hasToString(SEARCH.toString());
      assertThat(message.attributes()).isEqualTo(SEARCH.attributes());
      assertThat(message.ints("ids")).containsExactly(7, 42, 5);
      assertThat(message.floats("scores")).containsExactly(0.5f, -1);
    }
    EngineBench sender =
        EngineBench.connector(EngineBench.options().checksums(Checksums.WANTED)).open();
    sender.connection.sendAsync(SEARCH, SendOptions.handedOff());
    sender.pump();
    assertThat(sender.outBytes()).isEqualTo(GoldenWire.bytes("parts"));
  }

  /** In whatever portions it comes. */
  @Test
  void everyPortion() {
    byte[] all = GoldenWire.bytes("parts-chunks");
    for (int portion = 1; portion < 40; portion++) {
      EngineBench bench = bench();
      bench.portions(Portions.fixed(portion), Portions.everything());
      bench.feed(all);
      assertThat(bench.handler.arrays).hasSize(1);
      assertThat(bench.handler.arrays.get(0).message().ints("ids")).containsExactly(7, 42, 5);
    }
  }

  /** As many parts as there may be, whose table fills the attributes. */
  @Test
  void theLargestTable() {
    Message message = Message.of("0", new byte[0]);
    for (int i = 1; i < Message.MAX_PARTS; i++) {
      message = message.with("a part with a name of forty bytes, " + i, new byte[i % 3]);
    }
    EngineBench sender =
        EngineBench.connector(EngineBench.options().checksums(Checksums.WANTED)).open();
    sender.connection.sendAsync(message, SendOptions.handedOff());
    sender.pump();
    EngineBench bench = bench();
    bench.feed(sender.outBytes());
    assertThat(bench.handler.arrays).hasSize(1);
    assertThat(bench.handler.arrays.get(0).message()).hasToString(message.toString());
  }

  /** In portions, of whatever size they are said to be. */
  @Test
  void wrongAttributesOfEverySize() {
    for (int bytes : new int[] {8, 1016, 1024, 1032, 4096, FrameLayout.MAX_ATTRIBUTE_BYTES}) {
      EngineBench bench = bench();
      byte[] strings = new byte[bytes];
      ByteBuffer.wrap(strings)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putShort((short) 2)
          .putShort((short) 1);
      RawFrame frame =
          RawFrame.array(1, ElementType.FLOAT.code(), 1, 1, new byte[4]).withAttributes(strings);
      byte[] all = frame.checksummed().bytes();
      for (int at = 0; at < all.length && bench.connection.isOpen(); at += 7) {
        bench.feed(Arrays.copyOfRange(all, at, Math.min(all.length, at + 7)));
      }
      assertThat(bench.handler.arrays).isEmpty();
      assertThat(bench.connection.isOpen()).isFalse();
    }
  }

  // What must not be.

  private static final class Draft {
    final FrameHeader header = new FrameHeader();
    byte[] attributes;
    byte[] payload;

    Draft() {
      byte[] golden = GoldenWire.bytes("parts");
      ByteBuffer bytes = ByteBuffer.wrap(golden).order(ByteOrder.LITTLE_ENDIAN);
      try {
        header.read(bytes);
      } catch (ProtocolException e) {
        throw new AssertionError(e);
      }
      attributes = Arrays.copyOfRange(golden, FrameLayout.HEADER_BYTES, golden.length - 24);
      payload = Arrays.copyOfRange(golden, golden.length - 24, golden.length);
    }

    ByteBuffer table() {
      // Behind the strings, which take 24 bytes.
      return ByteBuffer.wrap(attributes, 24, attributes.length - 24)
          .slice()
          .order(ByteOrder.LITTLE_ENDIAN);
    }

    byte[] bytes() {
      return RawFrame.array(header.encoding, header.elementType, 1, header.count, payload)
          .withAttributes(attributes)
          .with(h -> {
            h.tag = header.tag;
            h.arrayBytes = header.arrayBytes;
          })
          .checksummed()
          .bytes();
    }
  }

  private static void refused(ErrorCode code, Consumer<Draft> change, String... words) {
    Draft draft = new Draft();
    change.accept(draft);
    EngineBench bench = bench();
    bench.feed(draft.bytes());
    bench.end();
    assertThat(bench.handler.arrays).isEmpty();
    assertThat(bench.handler.cause).isNotNull();
    assertThat(Objects.requireNonNull(bench.handler.cause).code())
        .as(bench.handler.cause.getMessage())
        .isEqualTo(code);
    assertThat(List.of(words))
        .allMatch(Objects.requireNonNull(bench.handler.cause.getMessage())::contains);
  }

  @Test
  void theDraftIsRight() {
    EngineBench bench = bench();
    bench.feed(new Draft().bytes());
    assertThat(bench.handler.arrays).hasSize(1);
  }

  @Test
  void headersThatDoNotFitTheirTable() {
    refused(ErrorCode.COUNT_MISMATCH, d -> d.header.count = 6, "count=6");
    refused(ErrorCode.COUNT_MISMATCH, d -> d.header.count = 25, "count=25");
    refused(ErrorCode.BAD_LENGTH, d -> d.header.count = -1, "count=18446744073709551615");
    refused(ErrorCode.COUNT_MISMATCH, d -> d.header.arrayBytes = 25, "arrayBytes=25");
    refused(ErrorCode.COUNT_MISMATCH, d -> d.header.arrayBytes = 32, "bytesOfParts=24");
    refused(ErrorCode.FRAME_TOO_LARGE, d -> d.header.arrayBytes = -8, "maxArrayBytes");
    refused(ErrorCode.COUNT_MISMATCH, d -> d.header.arrayBytes = 16, "bytesOfParts=24");
    refused(ErrorCode.BAD_LENGTH, d -> d.payload = new byte[32], "payloadBytes=32");
    // More than even blocks could have.
    refused(ErrorCode.BAD_LENGTH, d -> d.payload = new byte[105], "payloadBytes=105");
    refused(ErrorCode.UNKNOWN_CODE, d -> d.header.encoding = 1);
    refused(ErrorCode.UNKNOWN_CODE, d -> d.header.elementType = 1);
    refused(
        ErrorCode.COUNT_MISMATCH,
        d -> {
          d.header.encoding = 1;
          d.header.elementType = 1;
        });
    refused(ErrorCode.UNKNOWN_CODE, d -> d.attributes = new byte[0], "encoding=0");
    refused(
        ErrorCode.MALFORMED_PAYLOAD,
        d -> d.attributes = Arrays.copyOf(d.attributes, 24),
        "neither an element type nor a table");
  }

  @Test
  void tablesThatMustNotBe() {
    refused(ErrorCode.UNKNOWN_CODE, d -> d.table().put(8, (byte) 15), "elementType=15");
    refused(ErrorCode.UNKNOWN_CODE, d -> d.table().put(9, (byte) 4), "encoding=protobuf");
    refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.table().put(12, (byte) 1));
    refused(ErrorCode.FRAME_TOO_LARGE, d -> d.table().put(10, (byte) 33), "dimensions");
    refused(ErrorCode.FRAME_TOO_LARGE, d -> d.table().putShort(2, (short) 1025), "parts");
    refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.table().putShort(2, (short) 0), "empty");
    refused(ErrorCode.BAD_LENGTH, d -> d.table().putInt(4, 0x7ffffff8));
    refused(ErrorCode.BAD_LENGTH, d -> d.table().putInt(4, 12));
    refused(ErrorCode.UNKNOWN_CODE, d -> d.table().putShort(0, (short) 4), "kind=4");
    refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.table().putShort(0, (short) 2), "kind=2");
    refused(ErrorCode.COUNT_MISMATCH, d -> d.table().putLong(16, 4));
    refused(ErrorCode.FRAME_TOO_LARGE, d -> d.table().putLong(16, 1L << 40));
    refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.table().put(24, (byte) 0xff), "UTF-8");
    refused(
        ErrorCode.BAD_LENGTH,
        d -> d.attributes = Arrays.copyOf(d.attributes, d.attributes.length - 4));
  }

  @Test
  void sectionsOfAConnectionThatMustNotBe() {
    for (int kind = 16; kind <= 20; kind++) {
      int each = kind;
      if (kind != 19) {
        refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.attributes = number(d, each, 1, 0), "=0");
        refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.attributes = number(d, each, 1, -1), "18446");
      }
      refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.attributes = number(d, each, 2, 1), "entries=2");
      refused(ErrorCode.MALFORMED_PAYLOAD, d -> d.attributes = number(d, each, 0, 1), "empty");
    }
    refused(ErrorCode.UNKNOWN_CODE, d -> d.attributes = number(d, 21, 1, 1), "kind=21");
    refused(ErrorCode.UNKNOWN_CODE, d -> d.attributes = number(d, 15, 1, 1), "kind=15");
    // A fault of code 1 whose text is said to be longer than the section.
    refused(ErrorCode.BAD_LENGTH, d -> d.attributes = number(d, 19, 1, 1 | 9L << 32), "bytes=9");
  }

  private static byte[] number(Draft draft, int kind, int entries, long number) {
    return ByteBuffer.allocate(draft.attributes.length + 16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(draft.attributes)
        .putShort((short) kind)
        .putShort((short) entries)
        .putInt(16)
        .putLong(number)
        .array();
  }

  @Test
  void chunksThatDoNotBelongToIt() {
    byte[] whole = GoldenWire.bytes("parts-chunks");
    int second = whole.length - 14 - FrameLayout.HEADER_BYTES;
    List<Consumer<FrameHeader>> changes = new ArrayList<>();
    changes.add(h -> h.count = 24);
    changes.add(h -> h.elementType = ElementType.BYTE.code());
    changes.add(h -> h.encoding = 1);
    changes.add(h -> h.arrayBytes = 9);
    for (Consumer<FrameHeader> change : changes) {
      EngineBench bench = bench();
      bench.feed(Arrays.copyOf(whole, second));
      FrameHeader header = new FrameHeader().clear(FrameType.CHUNK);
      header.sequence = 1;
      header.count = 5;
      header.arrayBytes = 10;
      header.payloadBytes = 14;
      header.flags = FrameLayout.FLAG_PAYLOAD_CHECKSUM;
      change.accept(header);
      ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
      header.write(bytes);
      bench.feed(bytes.array());
      assertThat(bench.connection.isOpen()).isFalse();
      assertThat(Objects.requireNonNull(bench.handler.cause).code())
          .isIn(ErrorCode.PROTOCOL_VIOLATION, ErrorCode.SEQUENCE_GAP);
    }
  }

  /** Bytes with their table go on as they came, without being read. */
  @Test
  void aRelayPassesAMessageOn() {
    EngineBench bench = bench();
    bench.feed(GoldenWire.bytes("parts"));
    ArraySlice bytes = bench.handler.arrays.get(0).slice();
    ArrayAttributes attributes = bench.handler.arrays.get(0).header().attributes();
    EngineBench next =
        EngineBench.connector(EngineBench.options().checksums(Checksums.WANTED)).open();
    next.connection.sendAsync(bytes, SendOptions.handedOff().attributes(attributes));
    next.pump();
    assertThat(next.outBytes()).isEqualTo(GoldenWire.bytes("parts"));
  }
}
