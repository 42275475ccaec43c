package io.arraywire.testkit;

import static io.arraywire.testkit.BlockFrames.GOODBYE;
import static io.arraywire.testkit.BlockFrames.RUNS;
import static io.arraywire.testkit.BlockFrames.block;
import static io.arraywire.testkit.BlockFrames.elements;
import static io.arraywire.testkit.BlockFrames.hello;
import static io.arraywire.testkit.BlockFrames.options;
import static io.arraywire.testkit.BlockFrames.peer;
import static io.arraywire.testkit.BlockFrames.sender;
import static io.arraywire.testkit.BlockFrames.together;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** How the engine sends messages of which some parts are in blocks. */
class EngineSentPartsTest {
  private static PartTable table(Message message) {
    return Objects.requireNonNull(message.toAttributes().parts());
  }

  /** What the parts are where they are plain, one behind the other. */
  private static byte[] plain(Message message) {
    Message raw = message;
    for (Part part : message.parts()) {
      raw = raw.codec(part.name(), null);
    }
    byte[] whole = ArrayMessage.encode(raw);
    return Arrays.copyOfRange(
        whole, whole.length - (int) table(message).payloadBytes(), whole.length);
  }

  private static Message mixed() {
    return Message.of("runs", ArraySlice.ofArray(elements(ElementType.INT, 3001, true)))
        .with("raw", new byte[] {1, 2, 3})
        .with("more", new double[] {0.5})
        .with("noise", ArraySlice.ofArray(elements(ElementType.SHORT, 1003, false)))
        .with("none", new float[0])
        .with("tail", new byte[] {6, 6, 6, 6, 6})
        .with("empty", new long[0])
        .codec("runs", "runs")
        .codec("noise", "runs")
        .codec("none", "runs")
        .codec("tail", "runs")
        .codec("empty", "runs");
  }

  @Test
  void aFrameHoldsABlockOrRawPartsSideBySide() {
    EngineBench bench = sender();
    float[] ones = new float[303];
    Arrays.fill(ones, 1f);
    Message message =
        Message.of("a", new int[] {7})
            .with("b", new short[] {-1})
            .with("c", ones)
            .with("d", new byte[] {5, 5, 5})
            .with("e", new byte[] {4})
            .codec("c", "runs")
            .codec("d", "runs");
    bench.connection.sendAsync(message, SendOptions.handedOff());
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames)
        .extracting(RawFrame::type)
        .containsExactly(FrameType.ARRAY, FrameType.CHUNK, FrameType.CHUNK, FrameType.CHUNK);
    assertThat(frames)
        .extracting(frame -> frame.header().arrayBytes)
        .as("the bytes of the message, and then where each begins")
        .containsExactly(1248L, 16L, 1232L, 1240L);
    assertThat(frames).allMatch(frame -> frame.header().encoding == 0);
    assertThat(frames).allMatch(frame -> frame.header().count == 309);
    assertThat(frames.get(0).payload())
        .containsExactly(7, 0, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0);
    byte[] one = {0, 0, (byte) 0x80, 0x3f};
    assertThat(frames.get(1).payload())
        .isEqualTo(
            block(10, false, 303, together(new byte[] {-1}, one, new byte[] {46}, one, zeros(6))));
    assertThat(frames.get(2).payload())
        .isEqualTo(block(2, false, 3, together(new byte[] {2, 5}, zeros(6))));
    assertThat(frames.get(3).payload()).containsExactly(4, 0, 0, 0, 0, 0, 0, 0);
    // The table says what is where.
    byte[] attributes = frames.get(0).attributes();
    int entry = 24;
    for (int i = 0; i < 5; i++) {
      Encoding expected = i == 2 || i == 3 ? RunsCodec.ENCODING : Encoding.RAW_LITTLE_ENDIAN;
      assertThat(attributes[8 + i * entry + 1] & 0xff).isEqualTo(expected.code());
    }
  }

  private static byte[] zeros(int count) {
    return new byte[count];
  }

  /** In whatever portions, wherever it goes, with checksums and without. */
  @ParameterizedTest
  @EnumSource(
      mode = Mode.EXCLUDE,
      names = {"ANSWERING", "FAILING", "KEEPING"})
  void theyArriveForEachReceiverInAllPortions(Taking taking) {
    Message message = mixed();
    byte[] plain = plain(message);
    for (boolean checksums : new boolean[] {true, false}) {
      for (int chunk : new int[] {1024, 64 << 10}) {
        TransportOptions.Builder options =
            options()
                .chunkBytes(chunk)
                .checksums(checksums ? Checksums.WANTED : Checksums.UNWANTED);
        EngineBench bench = EngineBench.connector(options).open(peer(peer().flow(), checksums));
        for (int i = 0; i < 3; i++) {
          bench.connection.sendAsync(message, SendOptions.handedOff());
        }
        bench.pump();
        byte[] stream = bench.outBytes();
        assertThat(bench.frames())
            .allMatch(frame -> frame.payload().length <= chunk)
            .allMatch(frame -> frame.payload().length % 8 == 0);
        for (int portion : new int[] {1, 7, 500, Integer.MAX_VALUE}) {
          BareConnection receiver =
              new BareConnection(Role.ACCEPTOR, options, taking, there -> Math.min(there, portion));
          receiver.feed(hello(checksums), stream, GOODBYE);
          assertThat(receiver.end()).isNull();
          assertThat(receiver.taken)
              .extracting(Taken::elements)
              .containsExactly(plain, plain, plain);
        }
      }
    }
  }

  /** Any parts, over any credit: nothing stands still, and nothing is more than was allowed. */
  @Test
  void anythingArrivesWhateverTheCredit() {
    SeededArrays.check(arrays -> {
      int credit = arrays.between(4 << 10, 20 << 10);
      TransportOptions.Builder options = options().inboxBytes(credit).connectionInboxBytes(credit);
      EngineBench receiver = EngineBench.acceptor(options);
      EngineBench here =
          EngineBench.connector(options().chunkBytes(arrays.between(1024, 16 << 10)));
      EngineBench.join(here, receiver);
      for (int round = 0; round < 20; round++) {
        Message message = null;
        int parts = arrays.between(1, 6);
        for (int i = 0; i < parts; i++) {
          ElementType type =
              ElementType.values()[arrays.between(0, ElementType.values().length - 1)];
          int count = arrays.between(0, arrays.between(0, 1) == 0 ? 9 : 3000);
          Object array = elements(type, count + 2, arrays.between(0, 2) > 0);
          ArraySlice slice = ArraySlice.ofArray(array, 2, count).as(type);
          String name = "part " + i;
          message = message == null ? Message.of(name, slice) : message.with(name, slice);
          if (arrays.between(0, 1) == 0) {
            message = message.codec(name, "runs");
          }
        }
        Message sent = Objects.requireNonNull(message);
        CompletableFuture<Receipt> done =
            here.connection.sendAsync(sent, SendOptions.processed()).toCompletableFuture();
        EngineBench.join(here, receiver);
        assertThat(done).isCompleted();
        assertThat(receiver.handler.arrays).hasSize(round + 1);
        Message came = receiver.handler.arrays.get(round).message();
        assertThat(came).hasToString(sent.toString());
        assertThat(plain(came)).isEqualTo(plain(sent));
      }
    });
  }

  @Test
  void creditCountsPlainBytesWhateverTheyShrinkTo() {
    int credit = 8 << 10;
    EngineBench bench = sender(credit);
    Message message =
        Message.of("zeros", new byte[3 * credit]).with("raw", new byte[9]).codec("zeros", "runs");
    CompletableFuture<Receipt> sent =
        bench.connection.sendAsync(message, SendOptions.handedOff()).toCompletableFuture();
    bench.pump();
    List<RawFrame> frames = bench.frames();
    int elements = 0;
    for (RawFrame frame : frames) {
      elements += BlockFrames.count(frame.payload());
    }
    assertThat(elements).isBetween(credit / 2, credit - FrameLayout.ARRAY_COST);
    assertThat(sent).isNotDone();
    bench.feed(BlockFrames.credit(8 * credit));
    assertThat(sent).isCompleted();
    assertThat(sent.join().wireBytes()).isLessThan(credit);
    frames = bench.frames();
    RawFrame last = frames.get(frames.size() - 1);
    assertThat(last.header().arrayBytes).isEqualTo(3 * credit);
    assertThat(last.payload()).isEqualTo(new byte[16]);
  }

  /** Between two blocks; the message behind it is taken. */
  @Test
  void oneThatIsTakenBackLeavesTheOthersWhole() {
    int credit = 8 << 10;
    EngineBench bench = sender(credit);
    Message message =
        Message.of("zeros", new byte[3 * credit]).with("raw", new byte[9]).codec("zeros", "runs");
    var reply = bench.connection.request(message);
    bench.pump();
    byte[] begun = bench.outBytes();
    bench.out.reset();
    assertThat(reply.cancel(true)).isTrue();
    bench.pump();
    byte[] takenBack = bench.outBytes();
    assertThat(bench.frame(FrameType.ABORT).header().sequence).isOne();
    bench.feed(BlockFrames.credit(8 * credit));
    bench.frames();
    Message next = mixed();
    bench.connection.sendAsync(next, SendOptions.handedOff());
    bench.pump();
    BareConnection receiver =
        new BareConnection(Role.ACCEPTOR, options(), Taking.HANDLER, there -> there);
    receiver.feed(hello(false), begun, takenBack, bench.outBytes(), GOODBYE);
    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken).extracting(Taken::elements).containsExactly(plain(next));
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  /** A program says in the table what it wants of bytes that are plain. */
  @Test
  void bytesFromElsewhereArePutIntoBlocks() throws Exception {
    Message message = mixed();
    byte[] plain = plain(message);
    PartTable raw = table(message);
    List<Encoding> encodings =
        message.parts().stream()
            .map(part -> part.codec() == null ? raw.encodingOf(0) : RunsCodec.ENCODING)
            .toList();
    ArrayAttributes attributes =
        ArrayAttributes.of(0, new long[0], Map.of(), raw.withEncodings(encodings));
    SendOptions options = SendOptions.handedOff().attributes(attributes);
    EngineBench bench = EngineBench.connector(options().chunkBytes(2048)).open(peer());
    bench.connection.sendAsync(ArraySlice.of(plain), options);
    assertThat(bench.connection.offer(ArraySlice.of(plain), options))
        .isEqualTo(OfferStatus.ACCEPTED);
    ByteBuffer direct = ByteBuffer.allocateDirect(plain.length).put(plain).flip();
    bench.connection.sendAsync(ArraySource.of(direct), options);
    bench.connection.sendAsync(message, SendOptions.handedOff());
    assertThat(bench.connection.offer(message, SendOptions.handedOff()))
        .isEqualTo(OfferStatus.ACCEPTED);
    bench.pump();
    byte[] stream = bench.outBytes();
    assertThat(stream.length).isLessThan(5 * 4000);
    BareConnection receiver =
        new BareConnection(Role.ACCEPTOR, options(), Taking.FRESH, there -> there);
    receiver.feed(hello(false), stream, GOODBYE);
    assertThat(receiver.end()).isNull();
    assertThat(receiver.taken)
        .extracting(Taken::elements)
        .containsExactly(plain, plain, plain, plain, plain);
    bench.connection.closeNow();
    bench.pump();
    bench.assertNothingLeaks();
  }

  @Test
  void aTableWhoseEncodingThePeerDoesNotDecodeIsRefused() {
    EngineBench bench = sender();
    Encoding other = Encoding.customInBlocks(211, "other", ByteOrder.LITTLE_ENDIAN, type -> true);
    PartTable table = table(Message.of("a", new int[3])).withEncodings(List.of(other));
    SendOptions options =
        SendOptions.handedOff().attributes(ArrayAttributes.of(0, new long[0], Map.of(), table));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bench.connection.sendAsync(ArraySlice.of(new byte[16]), options))
        .withMessageContainingAll("does not decode", "codec=other");
    bench.pump();
    assertThat(bench.outBytes()).isEmpty();
  }

  /** Whether at its first byte, which the peer is to know before it is taken back, or later. */
  @Test
  void aSourceThatFailsWithdrawsItsMessage() {
    for (int count : new int[] {1, 40_000}) {
      for (int good : new int[] {0, 40_000}) {
        Message message = Message.of("ints", new int[count]).with("raw", new byte[70_000]);
        PartTable table =
            table(message).withEncodings(List.of(RunsCodec.ENCODING, Encoding.RAW_LITTLE_ENDIAN));
        ArrayAttributes attributes = ArrayAttributes.of(0, new long[0], Map.of(), table);
        EngineBench bench = sender();
        CompletableFuture<Receipt> sent =
            bench
                .connection
                .sendAsync(
                    new ZeroSource(ElementType.BYTE, table.payloadBytes(), good),
                    SendOptions.handedOff().attributes(attributes))
                .toCompletableFuture();
        bench.connection.sendAsync(ArraySlice.of(new int[5]), RUNS);
        bench.pump();
        assertThat(sent).isCompletedExceptionally();
        byte[] stream = bench.outBytes();
        assertThat(bench.frames()).anyMatch(frame -> frame.type() == FrameType.ABORT);
        BareConnection receiver =
            new BareConnection(Role.ACCEPTOR, options(), Taking.FRESH, there -> there);
        receiver.feed(hello(false), stream, GOODBYE);
        assertThat(receiver.end()).isNull();
        assertThat(receiver.taken).extracting(Taken::elements).containsExactly(new int[5]);
      }
    }
  }

  /** The one element that is sent costs what its block stands for, so both count the same. */
  @Test
  void messagesThatFailCostWhatThePeerCounts() {
    int credit = 4 << 10;
    EngineBench receiver =
        EngineBench.acceptor(options().inboxBytes(credit).connectionInboxBytes(credit));
    EngineBench here = EngineBench.connector(options());
    EngineBench.join(here, receiver);
    PartTable table =
        table(Message.of("one", new byte[1]).with("raw", new byte[70_000]))
            .withEncodings(List.of(RunsCodec.ENCODING, Encoding.RAW_LITTLE_ENDIAN));
    SendOptions options =
        SendOptions.handedOff().attributes(ArrayAttributes.of(0, new long[0], Map.of(), table));
    for (int i = 0; i < 150; i++) {
      var unused =
          here.connection.sendAsync(
              new ZeroSource(ElementType.BYTE, table.payloadBytes(), 0), options);
      EngineBench.join(here, receiver);
    }
    Message next = Message.of("zeros", new byte[10 * credit]).codec("zeros", "runs");
    CompletableFuture<Receipt> sent =
        here.connection.sendAsync(next, SendOptions.processed()).toCompletableFuture();
    EngineBench.join(here, receiver);
    assertThat(receiver.handler.arrays).hasSize(1);
    assertThat(sent).isCompleted();
  }

  /** As many small parts as there may be, every other one in a block of its own. */
  @Test
  void manySmallParts() {
    Message message = Message.of("0", new byte[] {0, 0, 0});
    for (int i = 1; i < Message.MAX_PARTS; i++) {
      message = message.with("" + i, new byte[] {(byte) i, (byte) i, (byte) i});
      if (i % 2 == 0) {
        message = message.codec("" + i, "runs");
      }
    }
    EngineBench bench = sender();
    bench.connection.sendAsync(message, SendOptions.handedOff());
    bench.pump();
    EngineBench receiver = BlockFrames.receiver();
    receiver.feed(bench.outBytes());
    assertThat(receiver.handler.arrays).hasSize(1);
    assertThat(plain(receiver.handler.arrays.get(0).message())).isEqualTo(plain(message));
  }

  /** A frame that ended with a few bytes of the next part would be one without effect. */
  @Test
  void manyRawPartsThatFillNoFrame() {
    Message message = Message.of("0", new byte[] {0, 0, 0}).codec("0", "runs");
    for (int i = 1; i < Message.MAX_PARTS; i++) {
      message = message.with("" + i, new byte[1000 + i % 3]);
    }
    EngineBench bench = EngineBench.connector(options().chunkBytes(1024)).open(peer());
    bench.connection.sendAsync(message, SendOptions.handedOff());
    bench.pump();
    EngineBench receiver = BlockFrames.receiver();
    receiver.feed(bench.outBytes());
    assertThat(receiver.handler.arrays).hasSize(1);
    assertThat(bench.frames()).hasSize(Message.MAX_PARTS);
  }

  /** Each part in its order; a whole message and its pieces. */
  @Test
  void bigEndianPartsTravelSo() {
    EngineBench bench = EngineBench.connector(EngineBench.options()).open();
    int[] ints = {1, 0x01020304, -1};
    Message message =
        Message.of("le", ints)
            .with("be", ints)
            .withRows("rows", new short[][] {{1, 2}, {3, 4}})
            .codec("be", "raw-be");
    bench.connection.sendAsync(message, SendOptions.handedOff());
    bench.connection.sendAsync(message, SendOptions.handedOff().codec("raw-be"));
    bench.pump();
    List<RawFrame> frames = bench.frames();
    assertThat(frames).hasSize(2);
    assertThat(frames.get(0).payload())
        .isEqualTo(
            ByteBuffer.allocate(40)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(1)
                .putInt(0x01020304)
                .putInt(-1)
                .putInt(0)
                .order(ByteOrder.BIG_ENDIAN)
                .putInt(1)
                .putInt(0x01020304)
                .putInt(-1)
                .putInt(0)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putShort((short) 1)
                .putShort((short) 2)
                .putShort((short) 3)
                .putShort((short) 4)
                .array());
    byte[] second = frames.get(1).payload();
    assertThat(Arrays.copyOfRange(second, 0, 16))
        .isEqualTo(Arrays.copyOfRange(frames.get(0).payload(), 16, 32));
    assertThat(Arrays.copyOfRange(second, 32, 40)).containsExactly(0, 1, 0, 2, 0, 3, 0, 4);
  }
}
