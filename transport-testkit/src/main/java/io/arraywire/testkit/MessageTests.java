package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Messages of one or more parts. */
interface MessageTests {
  TransportStage stage();

  private static Message search() {
    return Message.of("ids", new int[] {7, 42, 5}).with("scores", new float[] {0.5f, 0.25f, -1});
  }

  private static void assertSame(Message actual, Message expected) {
    assertThat(actual.toString()).isEqualTo(expected.toString());
    assertThat(actual.tag()).isEqualTo(expected.tag());
    assertThat(actual.attributes()).isEqualTo(expected.attributes());
    for (int i = 0; i < expected.parts().size(); i++) {
      ElementType type = expected.parts().get(i).type();
      int count = expected.parts().get(i).count();
      Object there = type.newArray(count);
      Object here = type.newArray(count);
      assertThat(actual.parts().get(i).type()).isEqualTo(type);
      expected.parts().get(i).readInto(here);
      actual.parts().get(i).readInto(there);
      Elements.assertSame(type, here, 0, there, 0, count);
    }
  }

  @Test
  default void aMessageArrivesAsOneAndIsAcknowledgedAsOne() throws Exception {
    Ends ends = stage().ends();
    Message message =
        search()
            .with("none", new double[0])
            .with("half", ArraySlice.of(new short[] {0x3c00, 1}).as(ElementType.FP16), 2, 1)
            .withRows("table", new long[][] {{1, 2}, {3, 4}, {5, 6}})
            .withRows("no rows", new int[0][])
            .tag(-9)
            .attribute("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    for (int i = 1; i <= 3; i++) {
      CompletionStage<Receipt> sent = ends.here().sendAsync(message, SendOptions.processed());
      ReceivedArray received = ends.there().receive();
      assertThat(received.header().sequence()).isEqualTo(i);
      assertSame(received.message(), message);
      assertThat(Eventually.get(sent).elements()).isEqualTo(received.receipt().elements());
    }
    // It lies in no array at all.
    Message none = Message.rows("no rows", new int[0][]);
    assertSame(receivedAfter(ends, none).message(), none);
  }

  /** Larger than frames, batches and windows, and parts that begin anywhere in them. */
  @Test
  default void largePartsArriveBitByBit() {
    SeededArrays.check(arrays -> {
      Ends ends = stage().ends();
      for (int round = 0; round < 4; round++) {
        Message message = null;
        for (ElementType type : ElementType.values()) {
          int count = arrays.between(0, 3) == 0 ? arrays.between(0, 9) : arrays.between(0, 100_000);
          ArraySlice slice = ArraySlice.ofArray(arrays.array(type, count + 3), 2, count).as(type);
          message =
              message == null
                  ? Message.of(type.typeName(), slice)
                  : message.with(type.typeName(), slice);
        }
        Message sent = Objects.requireNonNull(message);
        Running<Receipt> sending =
            Running.start(() -> ends.here().send(sent, SendOptions.processed()));
        ReceivedArray received = ends.there().receive();
        for (ElementType type : ElementType.values()) {
          int count = sent.part(type.typeName()).count();
          Object target = type.newArray(count + 1);
          assertThat(received.readInto(type.typeName(), target)).isEqualTo(count);
          Object source = type.newArray(count);
          sent.readInto(type.typeName(), source);
          Elements.assertSame(type, source, 0, target, 0, count);
        }
        assertThat(sending.get().elements()).isPositive();
      }
    });
  }

  @Test
  default void onePartWithoutANameIsAnArray() throws Exception {
    Ends ends = stage().ends();
    float[] floats = {1, -2.5f, 0.1f, 4};
    CompletionStage<Receipt> alone =
        ends.here().sendAsync(ArraySlice.of(floats), SendOptions.processed());
    long bytes = ends.there().receive().receipt().wireBytes();
    CompletionStage<Receipt> sent =
        ends.here().sendAsync(Message.of(floats), SendOptions.processed());
    ReceivedArray received = ends.there().receive();
    assertThat(received.type()).isEqualTo(ElementType.FLOAT);
    assertThat(received.header().attributes().parts()).isNull();
    assertThat(received.floats()).isEqualTo(floats);
    assertThat(received.message().floats()).isEqualTo(floats);
    assertThat(received.receipt().wireBytes()).isEqualTo(bytes);
    assertThat(Eventually.get(sent).wireBytes()).isEqualTo(Eventually.get(alone).wireBytes());
    ends.here().sendAsync(Message.of(floats, 2, 2).tag(3), SendOptions.processed());
    received = ends.there().receive();
    assertThat(received.header().attributes().shape()).containsExactly(2, 2);
    assertThat(received.tag()).isEqualTo(3);
  }

  /** One array of the receiver's own for all messages, and its parts into others of its own. */
  @Test
  default void aMessageIsReceivedIntoOnesOwnMemory() throws Exception {
    Ends ends = stage().ends();
    byte[] room = new byte[64];
    ArrayInfo info = new ArrayInfo();
    int[] ids = new int[3];
    float[] scores = new float[3];
    for (int i = 0; i < 3; i++) {
      Message message = Message.of("ids", new int[] {i, 2}).with("scores", new float[] {i, -i});
      ends.here().sendAsync(message, SendOptions.processed());
      ends.there().receiveInto(ArraySlice.of(room), info);
      PartTable parts = Objects.requireNonNull(info.attributes().parts());
      ArraySlice came = ArraySlice.of(room, 0, info.count());
      assertThat(parts.readInto(came, "ids", ids, 1)).isEqualTo(2);
      assertThat(parts.readInto(came, "scores", scores, 0)).isEqualTo(2);
      assertThat(ids).containsExactly(0, i, 2);
      assertThat(scores).containsExactly(i, -i, 0);
    }
    ends.here().sendAsync(search(), SendOptions.processed());
    try (LeasedArray lease = ends.there().receiveLeased()) {
      assertThat(lease.header().attributes().parts()).hasToString("[ids=int[3], scores=float[3]]");
      assertThat(lease.bytes(0).remaining()).isEqualTo(32);
    }
    ReceivedArray none = receivedAfter(ends, search());
    assertThatThrownBy(() -> none.readInto("idz", ids))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("name=idz", "ids=int[3]");
    assertThatThrownBy(() -> none.readInto("ids", new long[3]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("part=ids", "type=int", "asked=long");
    assertThatThrownBy(() -> none.readInto("ids", new int[2]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("elements=3", "room=2");
  }

  private static ReceivedArray receivedAfter(Ends ends, Message message) throws Exception {
    ends.here().sendAsync(message, SendOptions.processed());
    return ends.there().receive();
  }

  @Test
  default void aRequestAndItsReplyAreMessages() throws Exception {
    Handlers answering =
        Handlers.answering(request -> {
          int[] ids = request.message().ints("ids").clone();
          Arrays.sort(ids);
          return Message.of("sorted", ids).with("sum", new long[] {Arrays.stream(ids).sum()});
        });
    Connection here = stage().connectionTo(answering);
    Message reply = here.call(search().tag(1), Duration.ofMinutes(1)).message();
    assertThat(reply.ints("sorted")).containsExactly(5, 7, 42);
    assertThat(reply.longs("sum")).containsExactly(54);
  }

  @Test
  default void aMessageIsPublished() throws Exception {
    Listener listener = stage().closing(stage().transport().listen(stage().address()));
    Connection here = stage().closing(stage().transport().connect(listener.address()));
    try (Subscription subscription = here.subscribe("search", SubscribeOptions.defaults())) {
      Message message = search().tag(4).attribute("model", "two");
      assertThat(listener.publish("search", message).subscribers()).isEqualTo(1);
      assertSame(subscription.receive().message(), message);
    }
  }

  @Test
  default void aMessageIsOffered() throws Exception {
    Ends ends = stage().ends();
    float[] scores = {1, 2};
    Message message = Message.of("scores", scores);
    assertThat(ends.here().offer(message, SendOptions.handedOff())).isEqualTo(OfferStatus.ACCEPTED);
    scores[0] = 9;
    assertThat(ends.there().receive().message().floats("scores")).containsExactly(1, 2);
  }

  @Test
  default void whatCannotBeSentIsRefusedBeforeAByteLeaves() throws Exception {
    Ends ends = stage().ends();
    SendOptions options = SendOptions.processed();
    assertThatThrownBy(() -> ends.here().send(search(), options.tag(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("a message has its own tag", "tag=1");
    assertThatThrownBy(
            () -> ends.here().send(new byte[8], options.attributes(search().toAttributes())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("not those of the message", "payloadBytes=32");
    Ends protobuf = stage().ends(only -> only.codecs(StandardCodecs.protobuf()));
    assertThatThrownBy(() -> protobuf.here().send(search(), options))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("agreed");
    Ends plain = stage().ends(only -> only.plain(ElementType.BYTE));
    assertThatThrownBy(() -> plain.here().send(search(), SendOptions.handedOff()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("plain mode");
    plain.here().closeNow();
    assertSame(receivedAfter(ends, search()).message(), search());
  }

  /** Names and shapes leave with the first elements, for which the peer must have room at once. */
  @Test
  default void aTableThatThePeerHasNoRoomForIsRefused() throws Exception {
    Ends ends = stage().ends(options -> options, options -> options.inboxBytes(0));
    Message message = Message.of("part", new byte[1]);
    for (int i = 0; i < 100; i++) {
      message = message.with("part " + i, new byte[] {(byte) i});
    }
    Message many = message;
    assertThatThrownBy(() -> ends.here().send(many, SendOptions.processed()))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContainingAll("raise inboxBytes", "limit=1728");
    assertThat(ends.there().agreement().maxReceiveBytes()).isPositive();
    CompletionStage<Receipt> back = ends.there().sendAsync(many, SendOptions.processed());
    assertSame(ends.here().receive().message(), many);
    assertThat(Eventually.get(back).elements()).isPositive();
  }
}
