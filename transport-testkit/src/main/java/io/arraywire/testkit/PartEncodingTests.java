package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.PublishReceipt;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.codec.CompressionReason;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.message.PartTable;
import io.arraywire.testkit.TransportStage.Ends;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Messages whose parts have encodings of their own. */
interface PartEncodingTests {
  TransportStage stage();

  private static TransportOptions.Builder blocks(TransportOptions.Builder options) {
    return options.codecs(
        StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN),
        StandardCodecs.raw(ByteOrder.BIG_ENDIAN),
        SameCodec.CODEC);
  }

  private static int[] same(int count) {
    int[] array = new int[count];
    Arrays.fill(array, 7);
    return array;
  }

  /** Rows that fill no block, so that blocks begin and end inside of them. */
  private static float[][] rows() {
    float[][] rows = new float[70][301];
    for (float[] row : rows) {
      Arrays.fill(row, 0.5f);
    }
    return rows;
  }

  private static byte[] notSame(int count) {
    byte[] array = new byte[count];
    for (int i = 0; i < count; i++) {
      array[i] = (byte) (i * 31);
    }
    return array;
  }

  /** Each part as its name says; more than frames, windows and batches hold. */
  private static Message mixed() {
    return Message.of("same", same(120_001))
        .with("raw", notSame(3))
        .with("big-endian", new double[] {1, -0.0, Double.NaN})
        .with("none", new float[0])
        .with("a byte more than a block", new byte[65_537])
        .withRows("rows", rows())
        .with("raw blocks", notSame(150_003))
        .with("half", ArraySlice.of(new short[] {1, 2, 3, 4, 5}, 1, 3).as(ElementType.FP16), 3)
        .with("one", new short[] {-2})
        .withRows("no rows", new int[0][])
        .tag(9)
        .attribute("unit", "K")
        .codec("same", "same")
        .codec("big-endian", "raw-be")
        .codec("none", "same")
        .codec("a byte more than a block", "same")
        .codec("rows", "same")
        .codec("raw blocks", "same")
        .codec("one", "same");
  }

  private static long plainBytes(Message message) {
    return Objects.requireNonNull(message.toAttributes().parts()).payloadBytes();
  }

  private static void assertSame(Message actual, Message expected) {
    assertThat(actual).hasToString(expected.toString());
    assertThat(actual.tag()).isEqualTo(expected.tag());
    assertThat(actual.attributes()).isEqualTo(expected.attributes());
    for (Part part : expected.parts()) {
      Object here = part.type().newArray(part.count());
      Object there = part.type().newArray(part.count());
      part.readInto(here);
      Part came = actual.part(part.name());
      came.readInto(there);
      assertThat(came.codec()).isNull();
      Elements.assertSame(part.type(), here, 0, there, 0, part.count());
    }
  }

  @Test
  default void partsHaveEncodingsOfTheirOwn() throws Exception {
    for (Checksums checksums : List.of(Checksums.WANTED, Checksums.UNWANTED)) {
      Ends ends = stage().ends(options -> blocks(options).checksums(checksums));
      Message message = mixed();
      for (int i = 1; i <= 3; i++) {
        CompletionStage<Receipt> sent = ends.here().sendAsync(message, SendOptions.processed());
        ReceivedArray received = ends.there().receive();
        assertThat(received.header().sequence()).isEqualTo(i);
        assertSame(received.message(), message);
        Receipt receipt = Eventually.get(sent);
        assertThat(receipt.wireBytes()).isEqualTo(received.receipt().wireBytes());
        // What is the same is gone; what is not has heads.
        assertThat(receipt.wireBytes()).isBetween(150_000L, 170_000L);
        assertThat(receipt.elements()).isEqualTo(plainBytes(message));
        assertThat(receipt.compression()).isEqualTo(CompressionReason.NAMED);
        assertThat(receipt.copiedBytes()).isPositive();
      }
      Receipt receipt = ends.here().send(Message.of("raw", new int[5]));
      assertThat(receipt.compression()).isNull();
      assertThat(ends.there().receive().message().ints("raw")).hasSize(5);
    }
  }

  /** A table of raw parts goes with them, in whose order they are. */
  @Test
  default void theirBytesGoIntoOnesOwnMemory() throws Exception {
    Ends ends = stage().ends(PartEncodingTests::blocks);
    Message message = mixed();
    byte[] room = new byte[(int) plainBytes(message) + 5];
    ArrayInfo info = new ArrayInfo();
    ends.here().sendAsync(message, SendOptions.processed());
    ends.there().receiveInto(ArraySlice.of(room), info);
    PartTable table = Objects.requireNonNull(info.attributes().parts());
    assertThat(table.hasBlocks()).isFalse();
    ArraySlice came = ArraySlice.of(room, 0, info.count());
    int[] same = new int[120_001];
    assertThat(table.readInto(came, "same", same, 0)).isEqualTo(same.length);
    assertThat(same).containsOnly(7);
    double[] bigEndian = new double[3];
    assertThat(table.readInto(came, "big-endian", bigEndian, 0)).isEqualTo(3);
    assertThat(bigEndian).containsExactly(1, -0.0, Double.NaN);
    assertSame(Message.of(came, info.attributes()), message);
  }

  @Test
  default void theyAreOffered() throws Exception {
    Ends ends = stage().ends(PartEncodingTests::blocks);
    int[] few = same(50);
    Message small = Message.of("few", few).with("raw", new byte[] {1}).codec("few", "same");
    assertThat(ends.here().offer(small, SendOptions.handedOff())).isEqualTo(OfferStatus.ACCEPTED);
    Arrays.fill(few, 8);
    assertThat(ends.there().receive().message().ints("few")).containsOnly(7);
    int[] many = same(50_000);
    Message large = Message.of("many", many).with("raw", new byte[] {1}).codec("many", "same");
    assertThat(ends.here().offer(large, SendOptions.handedOff())).isEqualTo(OfferStatus.ACCEPTED);
    Arrays.fill(many, 8);
    ReceivedArray received = ends.there().receive();
    assertThat(received.message().ints("many")).hasSize(50_000).containsOnly(7);
    assertThat(received.message().bytes("raw")).containsExactly(1);
    assertThat(received.receipt().wireBytes()).isLessThan(5000);
  }

  @Test
  default void requestsAndRepliesHaveThem() throws Exception {
    Handlers answering =
        Handlers.answering(request -> {
          int[] ids = request.message().ints("ids");
          return Message.of("ids", ids).with("scores", new float[40_000]).codec("ids", "same");
        });
    Connection here = stage().connectionTo(PartEncodingTests::blocks, answering);
    Message request = Message.of("ids", same(100_000)).codec("ids", "same");
    ReceivedArray reply = Eventually.get(here.request(request, RequestOptions.defaults()));
    assertThat(reply.message().ints("ids")).hasSize(100_000).containsOnly(7);
    assertThat(reply.message().floats("scores")).hasSize(40_000).containsOnly(0);
    // 160,000 of them are the scores.
    assertThat(reply.receipt().wireBytes()).isBetween(160_000L, 165_000L);
    Message plain = Message.of("ids", same(100_000));
    ReceivedArray other =
        Eventually.get(here.request(plain, RequestOptions.defaults().codec("same")));
    assertThat(other.message().ints("ids")).hasSize(100_000).containsOnly(7);
  }

  /** A subscriber that does not decode one gets the part raw. */
  @Test
  default void theyArePublished() throws Exception {
    Listener listener = stage().transport(PartEncodingTests::blocks).listen(stage().address());
    UnaryOperator<TransportOptions.Builder> raw =
        options ->
            options.codecs(
                StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN),
                StandardCodecs.raw(ByteOrder.BIG_ENDIAN));
    Message message = mixed();
    List<Subscription> subscriptions =
        List.of(
            stage()
                .transport(PartEncodingTests::blocks)
                .connect(listener.address())
                .subscribe("mixed", SubscribeOptions.defaults()),
            stage()
                .transport(PartEncodingTests::blocks)
                .connect(listener.address())
                .subscribe("mixed", SubscribeOptions.defaults()),
            stage()
                .transport(raw)
                .connect(listener.address())
                .subscribe("mixed", SubscribeOptions.defaults()));
    for (int i = 0; i < 3; i++) {
      assertThat(listener.publish("mixed", message).queued()).isEqualTo(3);
      for (int k = 0; k < 3; k++) {
        ReceivedArray received = subscriptions.get(k).receive();
        assertSame(received.message(), message);
        long bytes = received.receipt().wireBytes();
        assertThat(bytes < 170_000).as("%d bytes for subscriber %d", bytes, k).isEqualTo(k < 2);
      }
    }
    assertThatThrownBy(() -> listener.publish("mixed", message.codec("one", "other")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(
            "this transport has no codec of that name; add it to the option codecs",
            "codec=other",
            "part=one",
            "codecs=[raw-le, raw-be, same]");
  }

  /** It costs the others nothing that one of them takes no message. */
  @Test
  default void aSubscriberWithoutARawCodecGetsNoMessage() throws Exception {
    Listener listener = stage().transport(PartEncodingTests::blocks).listen(stage().address());
    stage()
        .transport(options -> options.codecs(SameCodec.CODEC))
        .connect(listener.address())
        .subscribe("blocks", SubscribeOptions.defaults());
    Subscription subscription =
        stage()
            .transport(PartEncodingTests::blocks)
            .connect(listener.address())
            .subscribe("blocks", SubscribeOptions.defaults());
    Message message =
        Message.of("same", same(9))
            .with("few", new byte[3])
            .codec("same", "same")
            .codec("few", "same");
    PublishReceipt receipt = listener.publish("blocks", message);
    assertThat(receipt.queued()).isOne();
    assertThat(receipt.dropped()).isOne();
    assertSame(subscription.receive().message(), message);
  }

  @Test
  default void theCodecOfTheSendIsForPartsThatNameNone() throws Exception {
    Ends ends = stage().ends(PartEncodingTests::blocks);
    Message message =
        Message.of("ids", same(10_000))
            .with("raw", same(20_000))
            .with("longs", new long[10_000])
            .with("scores", new float[10_000])
            .codec("raw", "raw-le");
    SendOptions options = SendOptions.processed().codec("same");
    CompletionStage<Receipt> sent = ends.here().sendAsync(message, options);
    ReceivedArray received = ends.there().receive();
    assertSame(received.message(), message);
    // Neither what names another one, nor what is of a type that the codec does not have.
    assertThat(received.receipt().wireBytes()).isBetween(160_000L, 162_000L);
    assertThat(Eventually.get(sent).compression()).isEqualTo(CompressionReason.NAMED);
    ends.here().sendAsync(message, SendOptions.processed().codec("raw-be"));
    assertSame(ends.there().receive().message(), message);
    assertThatThrownBy(() -> ends.here().send(Message.of("longs", new long[3]), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("codec=same", "longs=long[3]", "agreed=[raw-le, raw-be, same]");
  }

  /** Bytes with their table are encoded where that keeps their order. */
  @Test
  default void aRelayCompressesWhatItPassesOn() throws Exception {
    Ends ends = stage().ends(PartEncodingTests::blocks);
    Message message =
        Message.of("ids", same(10_000)).with("big-endian", same(5)).codec("big-endian", "raw-be");
    ends.here().sendAsync(message, SendOptions.processed());
    ReceivedArray first = ends.there().receive();
    ends.there()
        .sendAsync(
            first.slice(),
            SendOptions.processed().attributes(first.header().attributes()).codec("same"));
    ReceivedArray second = ends.here().receive();
    assertSame(second.message(), message);
    assertThat(second.receipt().wireBytes()).isLessThan(500);
  }

  @Test
  default void anEncodingThatThePeerDoesNotOfferIsRefusedBeforeAByteLeaves() throws Exception {
    Ends ends =
        stage()
            .ends(
                options ->
                    options.codecs(
                        StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN),
                        StandardCodecs.raw(ByteOrder.BIG_ENDIAN),
                        StandardCodecs.protobuf(),
                        SameCodec.CODEC),
                options ->
                    options.codecs(
                        StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN), StandardCodecs.protobuf()));
    Message message = Message.of("ids", same(3)).with("longs", new long[3]);
    SendOptions options = SendOptions.processed();
    for (String codec : List.of("same", "raw-be", "nobody-has-it")) {
      Message named = message.codec("longs", codec);
      assertThatThrownBy(() -> ends.here().send(named, options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll(
              "the peer decodes no codec of that name",
              "codec=" + codec,
              "part=longs",
              "agreed=[raw-le, protobuf]");
      assertThatThrownBy(() -> ends.here().sendAsync(named, options))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> ends.here().offer(named, SendOptions.handedOff()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> ends.here().request(named)).hasStackTraceContaining("part=longs");
      assertThatThrownBy(() -> ends.here().send(message, options.codec(codec)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("codec=" + codec);
    }
    assertThatThrownBy(() -> ends.here().send(message.codec("ids", "protobuf"), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("in an encoding in blocks", "part=ids", "encoding=protobuf");
    assertThatThrownBy(() -> ends.here().send(message, options.codec("protobuf")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("encoding=protobuf");
    ends.here().sendAsync(message, options);
    assertThat(ends.there().receive().header().sequence()).isOne();
    Ends both = stage().ends(PartEncodingTests::blocks);
    assertThatThrownBy(() -> both.here().send(message.codec("longs", "same"), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("does not support its element type", "part=longs", "type=long");
  }

  /** Memory that only a later part asks for is refused as well, and the next message arrives. */
  @Test
  default void aPartThatGetsNoMemoryRefusesItsMessage() throws Exception {
    Connection here =
        stage()
            .connectionTo(
                options -> blocks(options).arrivalBytes(2 << 20),
                Handlers.ofArrays((from, array) -> assertThat(array.message().has("b")).isTrue()));
    for (int round = 0; round < 3; round++) {
      Message large =
          Message.of("a", same(10_000))
              .with("b", new byte[3 << 20])
              .codec("a", "same")
              .codec("b", "same");
      assertThatThrownBy(() -> here.send(large, SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("arrivalBytes=2097152");
      Message small = Message.of("b", new byte[1 << 20]).codec("b", "same");
      here.send(small, SendOptions.processed());
    }
  }
}
