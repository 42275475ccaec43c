package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Messages whose table of parts came before: read once, and never taken for another one. */
class EngineKnownTablesTest {
  private static final Message SEARCH =
      Message.of("ids", new int[] {7, 42, 5})
          .with("scores", new float[] {0.5f, -1})
          .tag(9)
          .attribute("unit", "K");

  private static final byte[] GOLDEN = GoldenWire.bytes("parts");
  private static final int PAYLOAD_BYTES = 24;
  private static final byte[] ATTRIBUTES =
      Arrays.copyOfRange(GOLDEN, FrameLayout.HEADER_BYTES, GOLDEN.length - PAYLOAD_BYTES);

  private static byte[] frame(long sequence, byte[] attributes, Consumer<FrameHeader> change) {
    byte[] payload = Arrays.copyOfRange(GOLDEN, GOLDEN.length - PAYLOAD_BYTES, GOLDEN.length);
    return RawFrame.array(0, 0, sequence, 5, payload)
        .withAttributes(attributes)
        .with(header -> header.tag = 9)
        .with(change)
        .checksummed()
        .bytes();
  }

  private static byte[] frame(long sequence, byte[] attributes) {
    return frame(sequence, attributes, header -> {});
  }

  private static EngineBench bench() {
    return EngineBench.acceptor(EngineBench.options().checksums(Checksums.WANTED)).open();
  }

  private static PartTable table(EngineBench bench, int array) {
    ReceivedArray received = bench.handler.arrays.get(array);
    return Objects.requireNonNull(received.header().attributes().parts());
  }

  @Test
  void aTableThatRepeatsIsReadOnce() {
    EngineBench bench = bench();
    bench.feed(frame(1, ATTRIBUTES));
    bench.feed(frame(2, ATTRIBUTES));
    bench.feed(frame(3, ATTRIBUTES, header -> header.tag = -1));
    assertThat(bench.handler.arrays).hasSize(3);
    ArrayAttributes first = bench.handler.arrays.get(0).header().attributes();
    assertThat(bench.handler.arrays.get(1).header().attributes()).isSameAs(first);
    assertThat(table(bench, 2)).isSameAs(table(bench, 0));
    assertThat(bench.handler.arrays.get(2).tag()).isEqualTo(-1);
    assertThat(bench.handler.arrays.get(2).header().attributes().tag()).isEqualTo(-1);
    for (ReceivedArray each : bench.handler.arrays) {
      assertThat(each.message().ints("ids")).containsExactly(7, 42, 5);
      assertThat(each.message().floats("scores")).containsExactly(0.5f, -1);
      assertThat(each.message().attributes()).isEqualTo(SEARCH.attributes());
    }
  }

  /** The message that a frame brings, or the failure in its place. */
  private static String outcome(byte[] before, byte[] frame) {
    EngineBench bench = bench();
    bench.feed(before);
    assertThat(bench.handler.arrays).hasSize(1);
    bench.feed(frame);
    if (bench.handler.arrays.size() == 2) {
      ReceivedArray received = bench.handler.arrays.get(1);
      return received.header() + " " + received.message() + received.message().attributes();
    }
    bench.end();
    ArraywireException cause = bench.handler.cause;
    return cause == null ? "nothing" : cause.code() + " " + cause.getMessage();
  }

  private static String outcomeWhereItIsKnown(byte[] frame) {
    return outcome(frame(1, ATTRIBUTES), frame);
  }

  private static String outcomeWhereItIsNew(byte[] frame) {
    ArraySlice array = ArraySlice.of(new float[] {1});
    byte[] before = RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, array).checksummed().bytes();
    return outcome(before, frame);
  }

  private static void assertReadAnew(byte[] frame) {
    assertThat(outcomeWhereItIsKnown(frame)).isEqualTo(outcomeWhereItIsNew(frame));
  }

  @Test
  void whateverDiffersIsReadAnew() {
    for (int i = 0; i < ATTRIBUTES.length; i++) {
      for (int flipped : new int[] {1, 2, 0x80, 0xff}) {
        byte[] other = ATTRIBUTES.clone();
        other[i] ^= (byte) flipped;
        assertReadAnew(frame(2, other));
      }
    }
    for (int bytes = 8; bytes < ATTRIBUTES.length; bytes += 8) {
      assertReadAnew(frame(2, Arrays.copyOf(ATTRIBUTES, bytes)));
    }
    List<Consumer<FrameHeader>> changes =
        List.of(
            header -> header.count = 4,
            header -> header.arrayBytes = 32,
            header -> header.arrayBytes = 16,
            header -> header.encoding = 1,
            header -> header.elementType = ElementType.BYTE.code(),
            header -> header.sequence = 3,
            header -> header.tag = 0);
    for (Consumer<FrameHeader> change : changes) {
      assertReadAnew(frame(2, ATTRIBUTES, change));
    }
    assertThat(outcomeWhereItIsNew(frame(2, ATTRIBUTES))).contains("ids=int[3]");
  }

  /** A number of the connection, right and wrong, and one section more. */
  @Test
  void whatStandsBehindTheTableIsRead() {
    for (int kind = 14; kind <= 22; kind++) {
      for (int entries = 0; entries <= 2; entries++) {
        for (long number : new long[] {1, 7, 0, -1, 1L << 32, 1 | 9L << 32}) {
          assertReadAnew(frame(2, number(ATTRIBUTES, kind, entries, number)));
        }
      }
    }
    assertReadAnew(frame(2, number(number(ATTRIBUTES, 16, 1, 3), 17, 1, 3)));
    assertReadAnew(frame(2, number(number(ATTRIBUTES, 17, 1, 3), 16, 1, 3)));
    assertReadAnew(frame(2, Arrays.copyOf(ATTRIBUTES, ATTRIBUTES.length + 8)));
    assertReadAnew(frame(2, Arrays.copyOf(ATTRIBUTES, ATTRIBUTES.length + 16)));
  }

  private static byte[] number(byte[] before, int kind, int entries, long number) {
    return ByteBuffer.allocate(before.length + 16)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(before)
        .putShort((short) kind)
        .putShort((short) entries)
        .putInt(16)
        .putLong(number)
        .array();
  }

  @Test
  void twoMessagesInTurns() {
    EngineBench bench = bench();
    byte[] other = ATTRIBUTES.clone();
    int name = new String(other, StandardCharsets.ISO_8859_1).indexOf("ids");
    other[name] = 'I';
    for (int i = 1; i <= 6; i++) {
      bench.feed(frame(i, i % 2 == 0 ? other : ATTRIBUTES));
    }
    assertThat(bench.handler.arrays).hasSize(6);
    for (int i = 0; i < 6; i++) {
      assertThat(table(bench, i).names()).containsExactly(i % 2 == 1 ? "Ids" : "ids", "scores");
    }
  }

  // Sending.

  private static EngineBench sender() {
    return EngineBench.connector(EngineBench.options().checksums(Checksums.WANTED)).open();
  }

  /** A message that was made anew has nothing that could be used again. */
  private static Message fresh(long tag, String unit) {
    return Message.of("ids", new int[] {7, 42, 5})
        .with("scores", new float[] {0.5f, -1})
        .tag(tag)
        .attribute("unit", unit);
  }

  @Test
  void whatIsSentAgainHasTheSameBytes() {
    EngineBench again = sender();
    SendOptions handedOff = SendOptions.handedOff();
    Message message = fresh(9, "K");
    again.connection.sendAsync(message, handedOff);
    again.connection.sendAsync(message, handedOff);
    again.connection.sendAsync(message.tag(4), handedOff);
    again.connection.sendAsync(message.attribute("unit", "m"), handedOff);
    again.connection.sendAsync(message.codec("ids", "be"), handedOff);
    again.connection.sendAsync(message, handedOff);
    again.pump();
    EngineBench anew = sender();
    anew.connection.sendAsync(fresh(9, "K"), handedOff);
    anew.connection.sendAsync(fresh(9, "K"), handedOff);
    anew.connection.sendAsync(fresh(4, "K"), handedOff);
    anew.connection.sendAsync(fresh(9, "m"), handedOff);
    anew.connection.sendAsync(fresh(9, "K").codec("ids", "be"), handedOff);
    anew.connection.sendAsync(fresh(9, "K"), handedOff);
    anew.pump();
    assertThat(again.outBytes()).isEqualTo(anew.outBytes());
  }

  /** A relay may add strings to a table that it passes on. */
  @Test
  void theSameTableWithOtherStrings() {
    EngineBench bench = bench();
    bench.feed(GOLDEN);
    ArraySlice bytes = bench.handler.arrays.get(0).slice();
    ArrayAttributes came = bench.handler.arrays.get(0).header().attributes();
    EngineBench next = sender();
    SendOptions handedOff = SendOptions.handedOff();
    next.connection.sendAsync(bytes, handedOff.attributes(came));
    next.pump();
    next.connection.sendAsync(bytes, handedOff.attributes(came.with("hop", "1")));
    next.pump();
    EngineBench last = bench();
    last.feed(next.outBytes());
    assertThat(last.handler.arrays).hasSize(2);
    assertThat(last.handler.arrays.get(0).message().attributes()).doesNotContainKey("hop");
    assertThat(last.handler.arrays.get(1).message().attributes()).containsEntry("hop", "1");
  }
}
