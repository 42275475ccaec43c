package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FlowOffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What fields of a frame may say together; {@link FieldLimitsTest} has each by itself. */
class EngineLimitsTest {
  private static final long MOST = Long.MAX_VALUE;

  private static EngineBench open() {
    return EngineBench.acceptor(EngineBench.options().checksums(Checksums.UNWANTED))
        .open(EngineBench.offer(new FlowOffer(8, 1 << 20, 1 << 20, 0, 8)));
  }

  private static RawSections number(int kind, long value) {
    return new RawSections().number(kind, value);
  }

  private static RawSections ones(int dimensions) {
    long[] ones = new long[dimensions];
    Arrays.fill(ones, 1);
    return RawSections.shape(ones);
  }

  private static RawFrame array(RawSections attributes, int count) {
    return RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[count]))
        .withAttributes(attributes.toBytes());
  }

  static Stream<Arguments> attributes() {
    ErrorCode malformed = ErrorCode.MALFORMED_PAYLOAD;
    ErrorCode violation = ErrorCode.PROTOCOL_VIOLATION;
    ErrorCode mismatch = ErrorCode.COUNT_MISMATCH;
    return Stream.of(
        Arguments.of(array(new RawSections(), 1), null),
        // A zero dimension: none, however the others overflow.
        Arguments.of(array(RawSections.shape(MOST, MOST, 0), 0), null),
        Arguments.of(array(RawSections.shape(MOST, MOST, 0), 1), mismatch),
        Arguments.of(array(RawSections.shape(1L << 32, 1L << 32), 0), mismatch),
        Arguments.of(array(RawSections.shape(MOST + 1, 0), 0), malformed),
        Arguments.of(array(ones(32), 1), null),
        Arguments.of(array(ones(33), 1), ErrorCode.FRAME_TOO_LARGE),
        // Of no session, and of one and something else.
        Arguments.of(array(number(RawSections.SESSION, 1), 1), violation),
        Arguments.of(array(number(RawSections.SESSION, MOST + 1), 1), malformed),
        Arguments.of(array(number(RawSections.REQUEST, MOST), 1), null),
        Arguments.of(array(number(RawSections.REQUEST, MOST + 1), 1), malformed),
        Arguments.of(array(number(RawSections.REPLY, MOST + 1), 1), malformed),
        Arguments.of(array(number(RawSections.PUBLICATION, 1), 1), violation),
        Arguments.of(array(number(RawSections.PUBLICATION, MOST + 1), 1), malformed));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void attributesOfAnArray(RawFrame array, @Nullable ErrorCode code) {
    EngineBench bench = open();
    bench.feed(array);
    if (code == null) {
      assertThat(bench.connection.isOpen()).as(bench.connection.describe()).isTrue();
    } else {
      bench.error(code);
    }
  }

  /** With a session the same: {@code EngineSessionTest}. */
  @Test
  void anArrayIsNotARequestAndAPublication() {
    EngineBench bench = open();
    bench.feed(
        array(number(RawSections.REQUEST, 1).number(RawSections.PUBLICATION, 1), 1)
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION))
        .contains("an array has attributes that exclude each other, or those of another channel");
  }

  /** The totals include the first credit: less than that takes some back. */
  @Test
  void theFirstCreditIsPartOfTheTotals() {
    EngineBench bench = open();
    RawFrame first =
        RawFrame.control(FrameType.CREDIT, 0)
            .with(header -> {
              header.tag = 1 << 20;
              header.count = 1 << 20;
            });
    bench.feed(first);
    assertThat(bench.connection.isOpen()).isTrue();
    bench = open();
    bench.feed(first.with(header -> header.tag--));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains("before=1048576");
  }

  /** An array of a subscription says so in its attributes; one of a channel does not. */
  @Test
  void anArrayOfASubscriptionHasItsNumber() {
    EngineBench bench = open();
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1]))
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains("subscription 0");
    bench = open();
    bench.feed(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1]))
            .withAttributes(AttributesBody.write(ArrayEnvelope.request(ArrayAttributes.NONE, 1)))
            .with(header -> header.channel = FrameLayout.SUBSCRIPTION));
    assertThat(bench.error(ErrorCode.PROTOCOL_VIOLATION)).contains("subscription 0", "request=1");
  }
}
