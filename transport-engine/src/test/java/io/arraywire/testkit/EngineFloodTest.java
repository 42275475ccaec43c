package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.SubscribeBody;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Frames that change nothing, of every type that has any: so many are borne, and the next one ends
 * the connection. And those of a peer that has reason to send many.
 */
class EngineFloodTest {
  private static final int WINDOW = 1 << 20;

  /** What is borne at once. */
  private static final int MOST = 200;

  private static final ArraySlice SMALL = ArraySlice.of(new int[1]);

  /** A kind of frame without effect. */
  private enum Kind {
    REPEATED_GOODBYE(FrameType.GOODBYE, 1),
    ACK_OF_ZERO(FrameType.ACK, 1),
    ACK_AGAIN(FrameType.ACK, 1),
    CREDIT_AGAIN(FrameType.CREDIT, 1),
    CREDIT_THAT_CREEPS(FrameType.CREDIT, 1),
    CREDIT_ON_MANY_CHANNELS(FrameType.CREDIT, 1),
    PING(FrameType.PING, 1),
    PONG(FrameType.PONG, 1),
    ARRAY_AND_ABORT(FrameType.ABORT, 1),
    REPLY_AGAIN(FrameType.ARRAY, 1),
    SUBSCRIBE_AND_UNSUBSCRIBE(FrameType.UNSUBSCRIBE, 8),
    REFUSED_SUBSCRIBE(FrameType.SUBSCRIBE, 8),
    SUBSCRIBED_AGAIN(FrameType.SUBSCRIBED, 8);

    final FrameType counted;

    /** So many of them count as one. */
    final int perFrame;

    Kind(FrameType counted, int perFrame) {
      this.counted = counted;
      this.perFrame = perFrame;
    }
  }

  private static TransportOptions.Builder options() {
    return EngineBench.options().checksums(Checksums.UNWANTED).requestTimeout(Duration.ofDays(1));
  }

  private static EngineBench open(Role role) {
    EngineBench bench =
        role == Role.ACCEPTOR ? EngineBench.acceptor(options()) : EngineBench.connector(options());
    return bench.open(EngineBench.offer(new FlowOffer(256, WINDOW, WINDOW, 0, 64)));
  }

  private static RawFrame on(int channel, FrameType type, byte... body) {
    return RawFrame.control(type, 0, body).with(header -> header.channel = channel);
  }

  private static RawFrame credit(int channel, long onChannel, long onAll) {
    return on(channel, FrameType.CREDIT)
        .with(header -> {
          header.tag = onChannel;
          header.count = onAll;
        });
  }

  private static RawFrame array(long sequence, ArraySlice elements) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, sequence, elements);
  }

  private static RawFrame reply(long sequence) {
    return array(sequence, SMALL)
        .withAttributes(AttributesBody.write(ArrayEnvelope.reply(ArrayAttributes.NONE, 1, null)));
  }

  private static byte[] bytes(RawFrame... frames) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (RawFrame frame : frames) {
      all.writeBytes(frame.bytes());
    }
    return all.toByteArray();
  }

  /** A connection, and what one more of the kind is on it. */
  private record Flood(EngineBench bench, IntFunction<byte[]> next) {
    void feed(int from, int to) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      IntStream.range(from, to).forEach(number -> all.writeBytes(next.apply(number)));
      bench.feed(all.toByteArray());
    }
  }

  private static Flood flood(Kind kind) throws Exception {
    EngineBench bench = open(Role.ACCEPTOR);
    if (kind == Kind.REFUSED_SUBSCRIBE) {
      // As a listener does that is closed.
      bench.subjects.close();
    }
    byte[] subscribe =
        bytes(
            on(
                FrameLayout.SUBSCRIPTION | 7,
                FrameType.SUBSCRIBE,
                new SubscribeBody("news", LagPolicy.BLOCK, 1000).write()));
    byte[] goodbye = bytes(RawFrame.control(FrameType.GOODBYE, 0));
    byte[] ack = bytes(RawFrame.control(FrameType.ACK, 1));
    return switch (kind) {
      case REPEATED_GOODBYE -> {
        // It has still to be told of an array, so it stays.
        var unused = bench.connection.sendAsync(SMALL, SendOptions.processed());
        yield new Flood(bench.feed(goodbye), number -> goodbye);
      }
      case ACK_OF_ZERO -> new Flood(bench, number -> bytes(RawFrame.control(FrameType.ACK, 0)));
      case ACK_AGAIN -> {
        var unused = bench.connection.sendAsync(SMALL, SendOptions.processed());
        bench.pump();
        // An array of four bytes covers four.
        yield new Flood(bench.feed(ack, ack, ack, ack), number -> ack);
      }
      case CREDIT_AGAIN -> new Flood(bench, number -> bytes(credit(0, WINDOW, WINDOW)));
      case CREDIT_THAT_CREEPS ->
          new Flood(bench, number -> bytes(credit(0, WINDOW + 1 + number, WINDOW)));
      case CREDIT_ON_MANY_CHANNELS ->
          new Flood(bench, number -> bytes(credit(1 + number % 255, WINDOW, WINDOW + 1 + number)));
      case PING -> new Flood(bench, number -> bytes(RawFrame.control(FrameType.PING, 0)));
      case PONG -> new Flood(bench, number -> bytes(RawFrame.control(FrameType.PONG, 0)));
      case ARRAY_AND_ABORT ->
          new Flood(
              bench,
              number ->
                  bytes(
                      RawFrame.array(
                              Encoding.RAW_LITTLE_ENDIAN.code(), 2, 1 + number, 100, new byte[4])
                          .with(header -> header.arrayBytes = 400),
                      RawFrame.control(FrameType.ABORT, 1 + number)));
      case REPLY_AGAIN -> {
        var unused = bench.connection.request(SMALL, RequestOptions.defaults());
        bench.pump();
        yield new Flood(bench.feed(reply(1)), number -> bytes(reply(2 + number)));
      }
      case SUBSCRIBE_AND_UNSUBSCRIBE, REFUSED_SUBSCRIBE ->
          new Flood(
              bench,
              number -> {
                ByteArrayOutputStream both = new ByteArrayOutputStream();
                both.writeBytes(subscribe);
                both.writeBytes(bytes(on(FrameLayout.SUBSCRIPTION | 7, FrameType.UNSUBSCRIBE)));
                return both.toByteArray();
              });
      case SUBSCRIBED_AGAIN -> {
        Running<Void> subscribing =
            Running.start(() -> {
              bench.connection.subscribe("news", SubscribeOptions.defaults()).close();
              return null;
            });
        Eventually.until(
            "it subscribes",
            () -> {
              bench.pump();
              return bench.outBytes().length > 0;
            });
        bench.feed(on(FrameLayout.SUBSCRIPTION, FrameType.SUBSCRIBED));
        subscribing.get();
        bench.pump();
        yield new Flood(bench, number -> bytes(on(FrameLayout.SUBSCRIPTION, FrameType.SUBSCRIBED)));
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void soManyAreBorneAndTheNextEndsTheConnection(Kind kind) throws Exception {
    Flood flood = flood(kind);
    EngineBench bench = flood.bench();
    int most = MOST * kind.perFrame;
    flood.feed(0, most);
    assertThat(bench.linkClosed).as(bench.connection.describe()).isFalse();
    assertThat(bench.frames()).noneMatch(frame -> frame.type() == FrameType.ERROR);
    flood.feed(most, most + 1);
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD))
        .contains("type=" + kind.counted, "limit=200 in 30 s");
    // Read no further for long: what comes still costs time.
    bench.clock.advance(Duration.ofMillis(600));
    bench.pump();
    assertThat(bench.linkClosed).isTrue();
    bench.end();
    bench.assertNothingLeaks();
    assertThat(bench.subjects.subscribers("news")).isZero();
  }

  /** Whatever a peer promises, it may not send what costs it nothing for ever. */
  @ParameterizedTest
  @ValueSource(ints = {1, 9, 10})
  void aPromiseOfManyHeartbeatsLiftsTheLimitNoFurther(int millis) {
    EngineBench bench =
        EngineBench.acceptor(options())
            .open(EngineBench.offer(new FlowOffer(8, WINDOW, WINDOW, millis, 64)));
    Flood flood = new Flood(bench, number -> bytes(RawFrame.control(FrameType.PONG, 0)));
    flood.feed(0, 9200);
    assertThat(bench.connection.isOpen()).isTrue();
    flood.feed(0, 1);
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("limit=9200 in 30 s");
  }

  /** The exception that a repeated goodbye once made took some 1.5 KB. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "REPEATED_GOODBYE",
        "ACK_OF_ZERO",
        "ACK_AGAIN",
        "CREDIT_AGAIN",
        "CREDIT_THAT_CREEPS",
        "CREDIT_ON_MANY_CHANNELS",
        "PONG",
        "SUBSCRIBED_AGAIN"
      })
  void noObjectIsMadeForOne(Kind kind) throws Exception {
    assumeTrue(AllocationMeter.isSupported(), "this JVM counts what threads allocate");
    int number = 20;
    Flood flood = flood(kind);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 8; round++) {
      ByteArrayOutputStream frames = new ByteArrayOutputStream();
      for (int i = 0; i < number; i++) {
        frames.writeBytes(flood.next().apply(round * number + i));
      }
      least = Math.min(least, allocatedFor(flood.bench(), frames.toByteArray()));
    }
    assertThat(flood.bench().linkClosed).isFalse();
    // The bench itself makes some copies of the bytes.
    assertThat(least).isLessThan(number * 10L * FrameLayout.HEADER_BYTES);
  }

  private static long allocatedFor(EngineBench bench, byte[] frames) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    bench.feed(frames);
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  // Peers that have reason to send many.

  /** A peer may acknowledge each array by itself, and give credit for each. */
  @Test
  void answersToArraysAreNoFlood() {
    EngineBench bench = open(Role.ACCEPTOR);
    long cost = FrameLayout.ARRAY_COST + 4;
    for (int i = 1; i <= 2000; i++) {
      int sequence = i;
      var unused = bench.connection.sendAsync(SMALL, SendOptions.processed());
      bench.pump();
      bench.out.reset();
      bench.feed(
          RawFrame.control(FrameType.ACK, sequence),
          credit(0, WINDOW + sequence * cost, WINDOW + sequence * cost),
          credit(0, WINDOW + sequence * cost, WINDOW + sequence * cost));
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  /** Also all at once, for as many arrays as its credit lets be unanswered. */
  @Test
  void lateAnswersToArraysAreNoFlood() {
    EngineBench bench = open(Role.ACCEPTOR);
    int arrays = WINDOW / (FrameLayout.ARRAY_COST + 4);
    for (int i = 0; i < arrays; i++) {
      var unused = bench.connection.sendAsync(SMALL, SendOptions.processed());
    }
    bench.pump();
    assertThat(bench.frames()).hasSize(arrays);
    for (int i = 1; i <= arrays; i++) {
      bench.feed(RawFrame.control(FrameType.ACK, i));
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    assertThat(bench.connection.describe()).contains("unacknowledgedArrays=0");
  }

  /** What was answered long ago covers nothing: nobody saves up for a flood. */
  @Test
  void arraysOfLongAgoCoverNoAnswers() {
    EngineBench bench = open(Role.ACCEPTOR);
    long sent = 0;
    for (int i = 1; i <= 100; i++) {
      var unused =
          bench.connection.sendAsync(ArraySlice.of(new byte[100_000]), SendOptions.handedOff());
      bench.pump();
      bench.out.reset();
      sent += 100_000 + FrameLayout.ARRAY_COST;
      bench.feed(credit(0, WINDOW + sent, WINDOW + sent));
    }
    int most = WINDOW / 64 - 1 + MOST;
    RawFrame ack = RawFrame.control(FrameType.ACK, 0);
    Flood flood = new Flood(bench, number -> bytes(ack));
    flood.feed(0, most);
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    flood.feed(0, 1);
    assertThat(bench.error(ErrorCode.CONTROL_FLOOD)).contains("type=ACK");
  }

  @Test
  void manySubscriptionsAreGivenUpAtOnce() {
    EngineBench bench = open(Role.ACCEPTOR);
    byte[] body = new SubscribeBody("quiet", LagPolicy.BLOCK, 1000).write();
    for (int round = 0; round < 4; round++) {
      for (int channel = 0; channel < 64; channel++) {
        bench.feed(on(FrameLayout.SUBSCRIPTION | channel, FrameType.SUBSCRIBE, body));
      }
      for (int channel = 0; channel < 64; channel++) {
        bench.feed(on(FrameLayout.SUBSCRIPTION | channel, FrameType.UNSUBSCRIBE));
      }
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
  }

  /** A sender gives up large arrays of which a frame has left. */
  @Test
  void arraysThatAreWithdrawnHalfwayAreNoFlood() {
    EngineBench bench = open(Role.ACCEPTOR);
    for (int i = 1; i <= 1000; i++) {
      RawFrame first =
          RawFrame.array(Encoding.RAW_LITTLE_ENDIAN.code(), 2, i, 100_000, new byte[1024])
              .with(header -> header.arrayBytes = 400_000);
      bench.feed(first, RawFrame.control(FrameType.ABORT, i));
    }
    assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    assertThat(bench.handler.arrays).isEqualTo(List.of());
  }
}
