package io.arraywire.testkit;

import static io.arraywire.testkit.BlockFrames.GOODBYE;
import static io.arraywire.testkit.BlockFrames.assertRefused;
import static io.arraywire.testkit.BlockFrames.block;
import static io.arraywire.testkit.BlockFrames.hello;
import static io.arraywire.testkit.BlockFrames.options;
import static io.arraywire.testkit.BlockFrames.peer;
import static io.arraywire.testkit.BlockFrames.receiver;
import static io.arraywire.testkit.BlockFrames.run;
import static io.arraywire.testkit.BlockFrames.together;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.testkit.BlockFrames.Fault;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;

/** How the engine takes messages of which some parts are in blocks. */
class EngineBlockPartsTest {
  private static final int RAW = Encoding.RAW_LITTLE_ENDIAN.code();
  private static final int RUNS = RunsCodec.ENCODING.code();
  private static final int ENTRY = 24;

  /** The bytes of the golden message where all of its parts are plain. */
  private static byte[] plain() {
    ByteBuffer plain = ByteBuffer.allocate(1248).order(ByteOrder.LITTLE_ENDIAN);
    plain.putInt(7).putInt(42).putInt(5).putInt(0);
    plain.putFloat(1).putFloat(-2.5f).putFloat(0.1f);
    for (int i = 0; i < 300; i++) {
      plain.putFloat(1.5f);
    }
    return plain.putInt(0).put(new byte[] {6, 6, 6, 6, 6, 0, 0, 0}).putShort((short) -2).array();
  }

  /** What another program wrote by the page, in whatever portions it comes, wherever it goes. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"ANSWERING", "FAILING", "KEEPING"})
  void theGoldenMessageIsTaken(Taking taking) {
    for (String name : new String[] {"parts-blocks", "parts-blocks-chunks"}) {
      for (int portion = 1; portion < 1300; portion += portion < 40 ? 1 : 400) {
        int most = portion;
        TransportOptions.Builder checked = options().checksums(Checksums.WANTED);
        BareConnection receiver =
            new BareConnection(Role.ACCEPTOR, checked, taking, there -> Math.min(there, most));
        receiver.feed(hello(true), GoldenWire.bytes(name), GOODBYE);
        assertThat(receiver.end()).isNull();
        assertThat(receiver.taken).extracting(Taken::elements).containsExactly(plain());
        PartTable table = receiver.taken.get(0).header().attributes().parts();
        assertThat(Objects.requireNonNull(table).hasBlocks()).isFalse();
      }
    }
  }

  private static EngineBench checked() {
    return EngineBench.acceptor(options().checksums(Checksums.WANTED))
        .open(peer(peer().flow(), true));
  }

  @Test
  void itsPartsAreArrays() {
    for (String name : new String[] {"parts-blocks", "parts-blocks-chunks"}) {
      EngineBench bench = checked();
      bench.feed(GoldenWire.bytes(name));
      assertThat(bench.handler.arrays).hasSize(1);
      ReceivedArray taken = bench.handler.arrays.get(0);
      Message message = taken.message();
      assertThat(message.ints("ids")).containsExactly(7, 42, 5);
      float[] scores = new float[303];
      Arrays.fill(scores, 1.5f);
      System.arraycopy(new float[] {1, -2.5f, 0.1f}, 0, scores, 0, 3);
      assertThat(message.floats("scores")).isEqualTo(scores);
      assertThat(message.floats("none")).isEmpty();
      assertThat(message.bytes("mask")).containsExactly(6, 6, 6, 6, 6);
      assertThat(message.shorts("tail")).containsExactly(-2);
      assertThat(taken.receipt().wireBytes()).isEqualTo(GoldenWire.bytes(name).length);
    }
  }

  /** A program sends the bytes on with their table, and reads none of them. */
  @Test
  void aRelayPassesItOn() {
    EngineBench bench = checked();
    bench.feed(GoldenWire.bytes("parts-blocks"));
    ReceivedArray taken = bench.handler.arrays.get(0);
    EngineBench next =
        EngineBench.connector(options().checksums(Checksums.WANTED))
            .open(peer(peer().flow(), true));
    next.connection.sendAsync(
        taken.slice(), SendOptions.handedOff().attributes(taken.header().attributes()));
    next.pump();
    EngineBench last = checked();
    last.feed(next.outBytes());
    assertThat(last.handler.arrays).hasSize(1);
    assertThat(last.handler.arrays.get(0).message()).hasToString(taken.message().toString());
    assertThat(last.handler.arrays.get(0).slice().array()).isEqualTo(plain());
  }

  // Messages made by hand.

  private record Entry(String name, ElementType type, int encoding, int count) {}

  private static Entry entry(String name, ElementType type, int encoding, int count) {
    return new Entry(name, type, encoding, count);
  }

  private static int padded(int bytes) {
    return (bytes + 7) & -8;
  }

  /** A message in one frame. */
  private static RawFrame message(Entry[] entries, byte[]... payload) {
    ByteBuffer table =
        ByteBuffer.allocate(8 + ENTRY * entries.length).order(ByteOrder.LITTLE_ENDIAN);
    table.putShort((short) 3).putShort((short) entries.length).putInt(table.capacity());
    int count = 0;
    int bytes = 0;
    for (Entry each : entries) {
      byte[] name = each.name.getBytes(StandardCharsets.US_ASCII);
      table.put((byte) each.type.code()).put((byte) each.encoding).put((byte) 0);
      table.put((byte) name.length).putInt(0).putLong(each.count).put(Arrays.copyOf(name, 8));
      count += each.count;
      bytes += padded(each.count * each.type.bytes());
    }
    int arrayBytes = bytes;
    return RawFrame.array(0, 0, 1, count, together(payload))
        .withAttributes(table.array())
        .with(header -> header.arrayBytes = arrayBytes);
  }

  private static RawFrame bytes(int count, byte[]... payload) {
    return message(
        new Entry[] {
          entry("a", ElementType.BYTE, RUNS, count), entry("b", ElementType.BYTE, RAW, 8)
        },
        payload);
  }

  /** With the zeros behind it. */
  private static byte[] aligned(byte... block) {
    return Arrays.copyOf(block, padded(block.length));
  }

  private static final byte[] REST = new byte[8];

  static Stream<Fault> faults() {
    byte[] one = aligned(run(600, 1));
    byte[] dirty = one.clone();
    dirty[dirty.length - 1] = 1;
    byte[] raw = aligned(block(3, true, 3, (byte) 1, (byte) 2, (byte) 3));
    byte[] dirtyRaw = raw.clone();
    dirtyRaw[11] = 1;
    Entry[] alone = {entry("a", ElementType.BYTE, RUNS, 600)};
    return Stream.of(
        fault("a head over its part", bytes(599, one, REST), ErrorCode.BAD_LENGTH),
        fault(
            "a head over its frame",
            message(alone, block(500, false, 600, run(600, 1))),
            ErrorCode.BAD_LENGTH),
        fault("no elements", bytes(600, block(2, false, 0, one), REST), ErrorCode.BAD_LENGTH),
        fault("zeros that are none", bytes(600, dirty, REST), ErrorCode.MALFORMED_PAYLOAD),
        fault(
            "zeros behind a raw block that are none",
            bytes(3, dirtyRaw, REST),
            ErrorCode.MALFORMED_PAYLOAD),
        fault("zeros that are not there", message(alone, run(600, 1)), ErrorCode.BAD_LENGTH),
        fault("a head alone", message(alone, block(2, false, 600)), ErrorCode.BAD_LENGTH),
        fault("half a head", message(alone, new byte[7]), ErrorCode.BAD_LENGTH),
        fault("a block behind the last part", message(alone, one, one), ErrorCode.BAD_LENGTH),
        fault("bytes behind the last part", bytes(600, one, REST, REST), ErrorCode.BAD_LENGTH),
        fault(
            "no smaller than raw",
            bytes(2, block(2, false, 2, (byte) 1, (byte) 7), new byte[6], REST),
            ErrorCode.COUNT_MISMATCH),
        fault(
            "raw, and of another length",
            bytes(4, aligned(block(3, true, 4, (byte) 1, (byte) 2, (byte) 3)), REST),
            ErrorCode.COUNT_MISMATCH),
        fault(
            "fewer elements than said",
            bytes(600, aligned(block(2, false, 600, (byte) 9, (byte) 1)), REST),
            ErrorCode.MALFORMED_PAYLOAD),
        fault(
            "an encoding that was not offered",
            message(new Entry[] {entry("a", ElementType.INT, 211, 3)}, new byte[16]),
            ErrorCode.UNKNOWN_CODE),
        fault(
            "an encoding that is in no blocks",
            message(
                new Entry[] {entry("a", ElementType.INT, Encoding.PROTOBUF.code(), 3)},
                new byte[16]),
            ErrorCode.UNKNOWN_CODE),
        fault(
            "an encoding of a part without elements that was not offered",
            message(
                new Entry[] {
                  entry("a", ElementType.INT, 211, 0), entry("b", ElementType.BYTE, RAW, 8)
                },
                REST),
            ErrorCode.UNKNOWN_CODE),
        fault(
            "raw parts with more bytes than their elements",
            message(new Entry[] {entry("a", ElementType.BYTE, RAW, 8)}, REST, REST),
            ErrorCode.BAD_LENGTH),
        fault(
            "more bytes than blocks of one element have",
            message(new Entry[] {entry("a", ElementType.BYTE, RUNS, 1)}, new byte[25]),
            ErrorCode.BAD_LENGTH));
  }

  private static Fault fault(String name, RawFrame frame, ErrorCode code) {
    return new Fault(name, frame, code);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void whatIsWrongEndsTheConnection(Fault fault) {
    assertRefused(fault, Taking.HANDLER, Taking.FRESH, Taking.LEASED);
  }

  /** The same message, right: so what is refused above is refused for what is said there. */
  @Test
  void theMessageMadeByHandIsTaken() {
    EngineBench bench = receiver();
    bench.feed(bytes(600, aligned(run(600, 1)), new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
    bench.feed(
        bytes(3, aligned(block(3, true, 3, (byte) 1, (byte) 2, (byte) 3)), REST)
            .with(header -> header.sequence = 2));
    assertThat(bench.handler.arrays).hasSize(2);
    Message message = bench.handler.arrays.get(0).message();
    assertThat(message.bytes("a")).hasSize(600).containsOnly(1);
    assertThat(message.bytes("b")).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    assertThat(bench.handler.arrays.get(1).message().bytes("a")).containsExactly(1, 2, 3);
  }

  /** Its bytes are put together, since some of them are big-endian. */
  @Test
  void besideABigEndianPart() {
    EngineBench bench = receiver();
    int bigEndian = Encoding.RAW_BIG_ENDIAN.code();
    bench.feed(
        message(
            new Entry[] {
              entry("a", ElementType.BYTE, RUNS, 601), entry("b", ElementType.INT, bigEndian, 2)
            },
            aligned(run(601, 1)),
            new byte[] {0, 0, 0, 1, 0, 0, 0, 2}));
    assertThat(bench.handler.arrays).hasSize(1);
    Message message = bench.handler.arrays.get(0).message();
    assertThat(message.bytes("a")).hasSize(601).containsOnly(1);
    assertThat(message.ints("b")).containsExactly(1, 2);
  }

  // Credit.

  /** A bench without a handler or a receive call: its peer gets no further credit. */
  private static EngineBench holding(int inboxBytes) {
    return EngineBench.withoutHandler(
            Role.ACCEPTOR, options().inboxBytes(inboxBytes).connectionInboxBytes(inboxBytes))
        .open(peer());
  }

  /**
   * A few bytes that stand for many elements cost what the elements do, and raw ones what they are.
   */
  @Test
  void aMessageCostsWhatItsPartsTakeWhereTheyArePlain() {
    int credit = 8 << 10;
    int table = 8 + 2 * ENTRY;
    int most = credit - FrameLayout.ARRAY_COST - table - 8;
    EngineBench bench = holding(credit);
    bench.feed(bytes(most, aligned(run(most, 1)), REST));
    assertThat(bench.connection.isOpen()).isTrue();
    EngineBench other = holding(credit);
    // The zeros behind the elements are charged, and it is the raw part that is too much.
    other.feed(bytes(most + 1, aligned(run(most + 1, 1)), REST));
    assertThat(other.error(ErrorCode.CREDIT_EXCEEDED)).contains("allowed");
    EngineBench head = holding(credit);
    head.feed(bytes(60_000, aligned(run(60_000, 1)), REST));
    assertThat(head.error(ErrorCode.CREDIT_EXCEEDED)).contains("allowed");
    EngineBench raw = holding(credit);
    raw.feed(message(new Entry[] {entry("a", ElementType.BYTE, RAW, 60_000)}, new byte[60_000]));
    assertThat(raw.error(ErrorCode.CREDIT_EXCEEDED)).contains("allowed");
  }

  @Test
  void smallBlocksWithoutEndAreAFlood() {
    EngineBench bench = receiver();
    byte[][] blocks = new byte[2000][];
    Arrays.fill(blocks, aligned(run(4, 1)));
    bench.feed(bytes(8000, blocks));
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).isNotEmpty();
  }

  /** Each is all that its part has. */
  @Test
  void manySmallPartsAreNone() {
    Entry[] entries = new Entry[Message.MAX_PARTS];
    byte[][] blocks = new byte[entries.length][];
    for (int i = 0; i < entries.length; i++) {
      entries[i] = entry("p" + i, ElementType.BYTE, i % 2 == 0 ? RUNS : RAW, 4);
      blocks[i] = i % 2 == 0 ? aligned(run(4, i)) : new byte[8];
    }
    EngineBench bench = receiver();
    bench.feed(message(entries, blocks));
    assertThat(bench.handler.arrays).hasSize(1);
    Message message = bench.handler.arrays.get(0).message();
    assertThat(message.bytes("p1022")).containsExactly(-2, -2, -2, -2);
  }

  // What is cut, damaged or withdrawn.

  @Test
  void aStreamThatEndsInsideItIsTruncated() {
    byte[] whole = GoldenWire.bytes("parts-blocks");
    for (int cut = FrameLayout.HEADER_BYTES + 1; cut < whole.length; cut++) {
      EngineBench bench = checked();
      bench.feed(Arrays.copyOf(whole, cut)).end();
      assertThat(bench.handler.arrays).isEmpty();
      bench.assertFailed(ErrorCode.TRUNCATED);
    }
  }

  @Test
  void whatWasDamagedOnItsWayIsRefused() {
    byte[] whole = GoldenWire.bytes("parts-blocks");
    // The zeros behind the last block, and what the last run says.
    for (int back : new int[] {8, 9, 10, 15, 16}) {
      byte[] damaged = whole.clone();
      damaged[damaged.length - back]++;
      EngineBench bench = checked();
      bench.feed(damaged).end();
      assertThat(bench.handler.arrays).isEmpty();
      assertThat(bench.connection.isOpen()).isFalse();
    }
    EngineBench last = checked();
    RawFrame wrong = message(new Entry[] {entry("a", ElementType.BYTE, RUNS, 600)}, last());
    RawFrame sealed = wrong.checksummed();
    sealed.payload()[12]++;
    last.feed(sealed);
    assertThat(last.error(ErrorCode.PAYLOAD_CHECKSUM)).contains("damaged");
  }

  private static byte[] last() {
    return aligned(run(600, 1));
  }

  @Test
  void itIsWithdrawnBetweenBlocks() {
    EngineBench bench = receiver();
    byte[] half = aligned(run(600, 1));
    bench.feed(
        bytes(1200, half),
        RawFrame.control(FrameType.ABORT, 1),
        RawFrame.control(FrameType.PING, 0));
    bench.feed(bytes(600, half, REST).with(header -> header.sequence = 2));
    assertThat(bench.handler.arrays).hasSize(1);
    bench.connection.closeNow();
    bench.assertEnded(null);
    bench.assertNothingLeaks();
  }

  @Test
  void aChunkSaysHowManyPlainBytesCameBefore() {
    byte[] half = aligned(run(604, 1));
    RawFrame first = bytes(1208, half);
    for (int before : new int[] {604, half.length, 0}) {
      EngineBench bench = receiver();
      bench.feed(first, RawFrame.chunk(first, before, together(half, REST)));
      if (before == 604) {
        assertThat(bench.handler.arrays).hasSize(1);
      } else {
        assertThat(bench.error(ErrorCode.SEQUENCE_GAP)).contains("expectedElement=604");
      }
    }
  }
}
