package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What arrays and messages for handlers count, and where, from their beginning to their end. */
class ArrivalChargeTest {
  private static final int FIRST = ArrivalBudget.FIRST_BYTES;
  private static final Codec CODEC = VerbatimCodec.CODEC;

  private static ArrivalShare share(long limit) {
    return new ArrivalShare(new ArrivalBudget(limit));
  }

  private static ArrivalShare defaultShare() {
    ArrivalBudget budget = ArrivalBudget.of(0, MemoryBudget.ofInboxes(0), new MemoryBudget(0));
    return new ArrivalShare(Objects.requireNonNull(budget));
  }

  private static InboundArray array(ElementType type, int count) {
    InboundArray array = new InboundArray();
    array.begins(type, count, 1, 0, (long) count * type.bytes());
    // Of its first frame.
    array.charged = 1;
    array.payloadCharged = 1;
    return array;
  }

  /** A codec that finds no memory when it is asked so often. */
  private static Codec failing(int times) {
    AtomicInteger asked = new AtomicInteger();
    return (Codec)
        Proxy.newProxyInstance(
            Codec.class.getClassLoader(),
            new Class<?>[] {Codec.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("encoding") && asked.incrementAndGet() == times) {
                throw new OutOfMemoryError("for the test");
              }
              return method.invoke(CODEC, arguments);
            });
  }

  /** The budget says yes, but the program has taken the rest of the heap. */
  @Test
  void anArrayForWhichTheHeapHasNoRoomIsNotCounted() {
    ArrivalShare share = defaultShare();
    array(ElementType.BYTE, 4 * FIRST).intoFresh(CODEC, true, share);
    assertThat(share.held).isEqualTo(4 * FIRST);
    InboundArray array = array(ElementType.BYTE, 3 * FIRST);
    assertThatThrownBy(() -> array.intoFresh(failing(2), true, share))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(share.held).isEqualTo(4 * FIRST);
  }

  @Test
  void norIsAMessage() {
    ArrivalShare share = defaultShare();
    Message message = message(new byte[0], new byte[4 * FIRST]);
    assertThatThrownBy(() ->
            new PartsSink(
                failing(4),
                message.toAttributes(),
                Objects.requireNonNull(message.toAttributes().parts()),
                4 * FIRST,
                true,
                share,
                FIRST))
        .isInstanceOf(OutOfMemoryError.class);
    assertThat(share.held).isZero();
  }

  private static PartTable table(byte[]... parts) {
    return Objects.requireNonNull(message(parts).toAttributes().parts());
  }

  private static Message message(byte[]... parts) {
    Message message = Message.of("0", ArraySlice.of(parts[0]));
    for (int i = 1; i < parts.length; i++) {
      message = message.with(Integer.toString(i), ArraySlice.of(parts[i]));
    }
    return message;
  }

  private static PartsSink parts(ArrivalShare share, int coming, byte[]... parts) {
    int all = 0;
    for (byte[] part : parts) {
      all += part.length;
    }
    Message message = message(parts);
    return new PartsSink(CODEC, message.toAttributes(), table(parts), all, false, share, coming);
  }

  /** So it needs no lock that all connections share, in however many frames it comes. */
  @Test
  void aSmallArrayTakesNothingOfABudgetThatIsUsedUp() throws Exception {
    ArrivalShare used = share(1);
    InboundArray array = array(ElementType.BYTE, FIRST);
    array.intoFresh(CODEC, false, used);
    for (int i = 0; i < 32; i++) {
      array.sink.put(ByteBuffer.allocate(FIRST / 32), FIRST / 32);
    }
    assertThat(array.sink.refusal()).isNull();
    assertThat(array.sink.slice().count()).isEqualTo(FIRST);
    assertThat(used.held).isZero();
  }

  /** Its first bytes are in the inbox, as those of an array are. */
  @Test
  void aSmallMessageTakesNothingOfABudgetThatIsUsedUp() throws Exception {
    ArrivalShare used = share(1);
    PartsSink sink = parts(used, 100, new byte[50], new byte[50]);
    sink.put(ByteBuffer.allocate(100), 100);
    assertThat(sink.refusal()).isNull();
    assertThat(sink.slice()).isNotNull();
    assertThat(used.held).isZero();
  }

  @Test
  void aMessageOfManyPartsCountsWhatIsBeyondItsFirstBytes() throws Exception {
    ArrivalShare share = share(1 << 20);
    byte[][] many = new byte[20][FIRST - 1000];
    int all = 20 * (FIRST - 1000);
    PartsSink sink = parts(share, FIRST, many);
    sink.put(ByteBuffer.allocate(all), all);
    assertThat(sink.refusal()).isNull();
    assertThat(share.held).isBetween((long) all - 2 * FIRST, (long) all);
    sink.release();
    assertThat(share.held).isZero();
  }

  @Test
  void aRefusedMessageKeepsNothing() throws Exception {
    ArrivalShare share = share(8L * FIRST);
    PartsSink sink = parts(share, FIRST, new byte[4 * FIRST], new byte[6 * FIRST], new byte[10]);
    int all = 10 * FIRST + 10;
    sink.put(ByteBuffer.allocate(all), all);
    assertThat(share.held).isZero();
    sink.stop();
    assertThat(Objects.requireNonNull(sink.refusal())).matches(ErrorCode.MEMORY_BUDGET::isOf);
  }

  /** What is beyond its first bytes is not in two budgets. */
  @Test
  void anArrayForAHandlerCountsItsFirstBytesInTheInboxAndWhatTravelsWithIt() {
    int bytes = 100 << 10;
    InboundArray array = array(ElementType.BYTE, bytes);
    array.charged = 60_000 + bytes;
    array.payloadCharged = bytes;
    assertThat(array.inboxCost(false)).isEqualTo(60_000 + bytes);
    assertThat(array.inboxCost(true)).isEqualTo(60_000 + FIRST);
    array.intoFresh(CODEC, false, share(1 << 20));
    assertThat(array.inboxCost(false)).isEqualTo(60_000 + FIRST);
  }

  /** Nobody else counts an array whose handler is about to say where it goes. */
  @Test
  void anArrayThatNeedsATargetCountsWholeUntilThereIsNone() throws Exception {
    int bytes = 100 << 10;
    InboundArray array = array(ElementType.BYTE, bytes);
    array.charged = 300 + bytes;
    array.payloadCharged = bytes;
    array.needsTarget = true;
    array.intoFresh(CODEC, false);
    array.sink.put(ByteBuffer.allocate(bytes), bytes);
    assertThat(array.inboxCost(true)).isGreaterThanOrEqualTo(300 + bytes);
    ArrivalShare share = share(1 << 20);
    array.limitedBy(share);
    assertThat(array.inboxCost(true)).isEqualTo(300 + FIRST);
    assertThat(share.held).isEqualTo(bytes);
    array.sink.release();
    assertThat(share.held).isZero();
  }
}
