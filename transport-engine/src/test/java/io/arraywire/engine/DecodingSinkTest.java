package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LeasedArray;
import io.arraywire.NoRoomException;
import io.arraywire.Receipt;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.testkit.RunsCodec;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Bytes come into the array itself and past it in turn, and it is the same array all the same. */
class DecodingSinkTest {
  private static final int COUNT = 500;
  private static final long SEED = 20261121;

  /** Each element with as many bytes of nothing behind it. */
  private static final Codec PADDED =
      new Codec() {
        private final Encoding encoding =
            Encoding.custom(
                200, "padded", VerbatimCodec.CODEC.encoding().order(), type -> 2 * type.bytes());

        @Override
        public String name() {
          return "padded";
        }

        @Override
        public Encoding encoding() {
          return encoding;
        }

        @Override
        public void encode(ElementType type, Object array, int index, int count, ByteBuffer to) {
          for (int i = 0; i < count; i++) {
            VerbatimCodec.CODEC.encode(type, array, index + i, 1, to);
            to.put(new byte[type.bytes()]);
          }
        }

        @Override
        public void decode(ElementType type, ByteBuffer from, Object array, int index, int count) {
          for (int i = 0; i < count; i++) {
            BulkElements.get(type, from, array, index + i, 1, ByteOrder.nativeOrder());
            from.position(from.position() + type.bytes());
          }
        }
      };

  private final TrackingMemoryPool pool = TrackingMemoryPool.around(HeapMemoryPool.create());
  private final Random random = new Random(SEED);

  private static DecodingSink into(Codec codec, ArraySlice target, int count) {
    DecodingSink sink = new DecodingSink();
    sink.startInto(codec, target, count);
    return sink;
  }

  private static DecodingSink fresh(Codec codec, ElementType type, int count, boolean trusted) {
    DecodingSink sink = new DecodingSink();
    sink.startFresh(codec, type, count, trusted, null, (long) count * type.bytes());
    return sink;
  }

  @AfterEach
  void nothingIsLeft() {
    pool.close();
  }

  private static BlockScratch block(Codec codec, int elements, int bytes) {
    BlockScratch block = new BlockScratch();
    block.begin(codec, ElementType.BYTE, elements, bytes);
    return block;
  }

  /** A codec that had to decode it would refuse it. */
  @Test
  void blocksOfAnArrayThatNobodyWantsAreNotDecoded() throws Exception {
    ByteBuffer wrong = ByteBuffer.wrap(new byte[] {1, 7});
    DecodingSink stopped = into(VerbatimCodec.CODEC, ArraySlice.of(new byte[500]), 500);
    stopped.stop();
    stopped.putBlock(wrong.duplicate(), block(RunsCodec.CODEC, 500, 2));
    ArrivalShare none = new ArrivalShare(new ArrivalBudget(1));
    DecodingSink refused = new DecodingSink();
    refused.startFresh(VerbatimCodec.CODEC, ElementType.BYTE, 100_000, false, none, 2);
    for (int i = 0; i < 3; i++) {
      refused.putBlock(wrong.duplicate(), block(RunsCodec.CODEC, 40_000, 2));
    }
    assertThat(refused.refusal()).isInstanceOf(NoRoomException.class);
  }

  @Test
  void blocksAreNotWhatLiesInMemory() {
    Codec wrong =
        (Codec)
            Proxy.newProxyInstance(
                Codec.class.getClassLoader(),
                new Class<?>[] {Codec.class},
                (proxy, method, arguments) ->
                    method.getName().equals("encoding")
                        ? RunsCodec.ENCODING
                        : CodecTraits.VERBATIM);
    assertThat(ArrayDirect.suits(VerbatimCodec.CODEC, ElementType.INT)).isTrue();
    assertThat(ArrayDirect.suits(wrong, ElementType.INT)).isFalse();
  }

  /** In the same portion, an element that was begun before, and others: each wants more room. */
  @Test
  void aRefusedArrayStaysRefusedThoughItHasGivenMemoryBack() throws Exception {
    int elements = 1 << 14;
    DecodingSink sink = new DecodingSink();
    sink.startFresh(
        VerbatimCodec.CODEC,
        ElementType.INT,
        4 * elements,
        false,
        new ArrivalShare(new ArrivalBudget(10L * elements)),
        4L * elements);
    sink.put(ByteBuffer.allocate(4 * elements + 3), 4 * elements + 3);
    assertThat(sink.refusal()).isNull();
    ByteBuffer rest = ByteBuffer.allocate(401);
    sink.put(rest, 401);
    assertThat(sink.refusal())
        .isInstanceOf(NoRoomException.class)
        .matches(ErrorCode.MEMORY_BUDGET::isOf);
    assertThat(rest.hasRemaining()).isFalse();
  }

  /** A peer that begins an array on each of its channels must not get more than it sends. */
  @Test
  void aFreshArrayBeginsWithWhatTheFirstFrameBrings() {
    for (int coming : new int[] {1, 256, 1024, 5000, 32 << 10, 64 << 10}) {
      DecodingSink sink = new DecodingSink();
      sink.startFresh(VerbatimCodec.CODEC, ElementType.INT, 1 << 20, false, null, coming);
      sink.clear();
      assertThat(sink.keptBytes())
          .as("%d bytes", coming)
          .isEqualTo(Math.min(32 << 10, Math.max(256, coming)));
    }
  }

  /** A receive call that was out of time gives its array back, and has no other one made for it. */
  @Test
  void whatHasComeMovesToNoMoreMemoryThanItNeeds() throws Exception {
    DecodingSink sink = into(VerbatimCodec.CODEC, ArraySlice.of(new int[1 << 20]), 1 << 20);
    sink.put(ByteBuffer.allocate(512), 512);
    sink.redirect();
    sink.clear();
    assertThat(sink.keptBytes()).isEqualTo(512);
  }

  @Test
  void roomIsForElementsHoweverManyBytesACodecMakesOfEach() {
    DecodingSink sink = new DecodingSink();
    sink.startFresh(PADDED, ElementType.INT, 1 << 20, false, null, 4000);
    sink.clear();
    assertThat(sink.keptBytes()).isEqualTo(2000);
  }

  /** An array in blocks, whose first frame does not say how many elements it brings. */
  @Test
  void memoryThatIsThereIsUsedThoughTheFirstFrameBringsLess() throws Exception {
    DecodingSink sink = fresh(VerbatimCodec.CODEC, ElementType.BYTE, 5000, false);
    sink.clear();
    sink.startFresh(VerbatimCodec.CODEC, ElementType.BYTE, 5000, false, null, 20);
    assertThat(sink.keptBytes()).isZero();
    sink.put(ByteBuffer.allocate(5000), 5000);
    sink.clear();
    assertThat(sink.keptBytes()).isEqualTo(5000);
    sink.startFresh(VerbatimCodec.CODEC, ElementType.BYTE, 3000, false, null, 20);
    sink.clear();
    assertThat(sink.keptBytes()).as("larger than the array").isEqualTo(256);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void bytesComeByTheChannelAndByTheCodecInTurn(ElementType type) throws Exception {
    for (int round = 0; round < 50; round++) {
      ByteBuffer bytes = random(type);
      Object target = type.newArray(COUNT + 7);
      DecodingSink sink =
          into(VerbatimCodec.CODEC, ArraySlice.ofArray(target, 7, COUNT).as(type), COUNT);
      while (bytes.hasRemaining()) {
        some(sink, type, bytes);
      }
      assertThat(sink.slice().array()).isSameAs(target);
      assertHolds(type, sink.slice(), bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void aFreshArrayGrowsUnderTheChannel(ElementType type) throws Exception {
    int count = 200_000;
    ByteBuffer bytes = random(type, count);
    DecodingSink sink = fresh(VerbatimCodec.CODEC, type, count, false);
    ArrayIo io = new ByteChannelIo(type, bytes, 40_001);
    while (bytes.hasRemaining()) {
      assertThat(sink.arrayRoom()).isEqualTo(bytes.remaining());
      assertThat(sink.fill(io, Integer.MAX_VALUE)).isPositive();
    }
    assertThat(sink.arrayRoom()).isZero();
    assertHolds(type, sink.slice(), bytes);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void aCallerThatTakesTheArrayBackHasItAndNothingIsLost(ElementType type) throws Exception {
    for (int before = 0; before <= 3 * type.bytes(); before++) {
      ByteBuffer bytes = random(type);
      Object target = type.newArray(COUNT);
      DecodingSink sink = into(VerbatimCodec.CODEC, ArraySlice.ofArray(target).as(type), COUNT);
      fill(sink, type, bytes, before);
      sink.redirect();
      Object given = type.newArray(COUNT);
      System.arraycopy(target, 0, given, 0, COUNT);
      rest(sink, type, bytes);
      assertThat(target).as("not touched").isEqualTo(given);
      assertHolds(type, sink.slice(), bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void itGoesOnInTheMemoryOfWhoAsksInTheMiddle(ElementType type) throws Exception {
    for (int before = 0; before <= 3 * type.bytes(); before++) {
      ByteBuffer bytes = random(type);
      DecodingSink sink = fresh(VerbatimCodec.CODEC, type, COUNT, false);
      fill(sink, type, bytes, before);
      ArraySlice target = ArraySlice.ofArray(type.newArray(COUNT + 3), 3, COUNT).as(type);
      sink.rebind(target);
      rest(sink, type, bytes);
      assertThat(sink.slice().array()).isSameAs(target.array());
      assertHolds(type, sink.slice(), bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void itGoesOnInPooledMemoryAndStaysThere(ElementType type) throws Exception {
    for (int before = 0; before <= 3 * type.bytes(); before++) {
      ByteBuffer bytes = random(type);
      DecodingSink sink = fresh(VerbatimCodec.CODEC, type, COUNT, false);
      fill(sink, type, bytes, before);
      sink.rebindToPool(pool);
      assertThat(sink.arrayRoom()).isZero();
      some(sink, type, bytes);
      // The call for a lease is gone; the next one wants it in an array, or on loan again.
      sink.rebind(ArraySlice.ofArray(type.newArray(COUNT)).as(type));
      some(sink, type, bytes);
      sink.rebindToPool(pool);
      rest(sink, type, bytes);
      ArrayHeader header = new ArrayHeader(type, COUNT, 1, ArrayAttributes.NONE);
      Object lent = type.newArray(COUNT);
      try (LeasedArray lease =
          sink.lease(new LeaseFacts(header, new Receipt(COUNT, 0, 0, 1, sink.pooledBytes())))) {
        lease.copyTo(ArraySlice.ofArray(lent).as(type));
      }
      assertHolds(type, ArraySlice.ofArray(lent).as(type), bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void whatIsStoppedTakesNoMore(ElementType type) throws Exception {
    ByteBuffer bytes = random(type);
    Object target = type.newArray(COUNT);
    DecodingSink sink = into(VerbatimCodec.CODEC, ArraySlice.ofArray(target).as(type), COUNT);
    fill(sink, type, bytes, 11);
    sink.stop();
    Object given = type.newArray(COUNT);
    System.arraycopy(target, 0, given, 0, COUNT);
    assertThat(sink.arrayRoom()).isZero();
    assertThat(sink.fill(new ByteChannelIo(type, bytes, 100), 100)).isZero();
    sink.put(bytes, 100);
    assertThat(target).isEqualTo(given);
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "BOOLEAN")
  void itIsUsedAgainForElementsThatComeWiderAndNarrower(ElementType type) throws Exception {
    DecodingSink sink = new DecodingSink();
    for (Codec codec : List.of(VerbatimCodec.CODEC, PADDED, VerbatimCodec.CODEC)) {
      int width = codec.encoding().elementBytes(type);
      ByteBuffer bytes = random(type);
      ByteBuffer coded = ByteBuffer.allocate(COUNT * width);
      codec.encode(type, VerbatimCodec.array(type, bytes.array()), 0, COUNT, coded);
      Object target = type.newArray(COUNT);
      sink.startInto(codec, ArraySlice.ofArray(target).as(type), COUNT);
      coded.flip();
      while (coded.hasRemaining()) {
        sink.put(coded, Math.min(1 + random.nextInt(3 * width), coded.remaining()));
      }
      assertHolds(type, ArraySlice.ofArray(target).as(type), bytes);
      sink.clear();
    }
  }

  private void some(DecodingSink sink, ElementType type, ByteBuffer bytes) throws Exception {
    int portion = Math.min(1 + random.nextInt(3 * type.bytes()), bytes.remaining());
    if (portion == 0) {
      return;
    }
    if (sink.arrayRoom() > 0 && random.nextBoolean()) {
      fill(sink, type, bytes, portion);
    } else {
      sink.put(bytes, portion);
    }
  }

  private void rest(DecodingSink sink, ElementType type, ByteBuffer bytes) throws Exception {
    while (bytes.hasRemaining()) {
      some(sink, type, bytes);
    }
  }

  private static void fill(DecodingSink sink, ElementType type, ByteBuffer bytes, int count)
      throws Exception {
    // An array that grows may have room for a part of them only.
    for (int left = count; left > 0; ) {
      long read = sink.fill(new ByteChannelIo(type, bytes, left), Integer.MAX_VALUE);
      assertThat(read).isBetween(1L, (long) left);
      left -= (int) read;
    }
  }

  private ByteBuffer random(ElementType type) {
    return random(type, COUNT);
  }

  private ByteBuffer random(ElementType type, int count) {
    byte[] bytes = new byte[count * type.bytes()];
    random.nextBytes(bytes);
    if (type == ElementType.FLOAT || type == ElementType.DOUBLE) {
      // No NaN, whose bits a copy of an element need not keep.
      for (int i = type.bytes() - 1; i < bytes.length; i += type.bytes()) {
        bytes[i] = 0x40;
      }
    }
    return ByteBuffer.wrap(bytes);
  }

  private static void assertHolds(ElementType type, ArraySlice slice, ByteBuffer bytes) {
    assertThat(VerbatimCodec.bytes(type, slice.array(), slice.offset(), slice.length()))
        .isEqualTo(bytes.array());
  }
}
