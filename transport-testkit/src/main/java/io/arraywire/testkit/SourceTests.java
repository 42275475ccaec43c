package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayInfo;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TargetMismatchException;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementReader;
import io.arraywire.spi.BulkElements;
import io.arraywire.testkit.TransportStage.Ends;
import java.io.IOException;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Elements that do not lie in an array: buffers, files, rows, and what a program reads itself. */
interface SourceTests {
  TransportStage stage();

  /** Larger than frames, batches and windows; and what is read when it is handed in. */
  List<Integer> COUNTS = List.of(0, 3, 1_000, 300_000);

  /** Its elements are not plain, as far as anybody else knows. */
  CustomCodec OWN =
      new CustomCodec(Encoding.custom(201, "own-be", ByteOrder.BIG_ENDIAN, ElementType::bytes));

  private static ByteBuffer bytes(ElementType type, Object array, int count, ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes());
    if (count > 0) {
      BulkElements.put(type, array, 0, count, bytes, order);
    }
    return bytes.flip();
  }

  private static Buffer typed(ByteBuffer bytes, ElementType type) {
    return switch (type) {
      case FLOAT -> bytes.asFloatBuffer();
      case INT -> bytes.asIntBuffer();
      case DOUBLE -> bytes.asDoubleBuffer();
      case LONG -> bytes.asLongBuffer();
      case SHORT -> bytes.asShortBuffer();
      case CHAR -> bytes.asCharBuffer();
      default -> bytes;
    };
  }

  private static Path file(ByteBuffer bytes) throws IOException {
    Path path = Files.createTempFile("arraywire-source", ".bin");
    path.toFile().deleteOnExit();
    byte[] all = new byte[bytes.capacity()];
    bytes.get(0, all);
    Files.write(path, all);
    return path;
  }

  private static void assertArrives(Ends ends, ArraySource source, ElementType type, Object array)
      throws Exception {
    Running<Receipt> sending =
        Running.start(() -> ends.here().send(source, SendOptions.processed().tag(7)));
    ReceivedArray received = ends.there().receive();
    int count = (int) source.count();
    assertThat(received.type()).as("%s", source).isEqualTo(type);
    assertThat(received.count()).isEqualTo(count);
    assertThat(received.tag()).isEqualTo(7);
    Elements.assertSame(type, array, 0, received.slice().array(), received.slice().offset(), count);
    assertThat(sending.get().elements()).isEqualTo(count);
  }

  /** On the heap and direct, in either byte order, from any position. */
  @Test
  default void theElementsOfBuffersArrive() throws Exception {
    SeededArrays.check(
        1,
        arrays -> {
          Ends ends = stage().ends();
          for (ElementType type : ElementType.values()) {
            if (!type.isPrimitive() || type == ElementType.BOOLEAN) {
              continue;
            }
            for (int count : COUNTS) {
              Object array = arrays.array(type, count);
              for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                ByteBuffer bytes = bytes(type, array, count, order);
                for (boolean direct : new boolean[] {false, true}) {
                  ByteBuffer room =
                      direct
                          ? ByteBuffer.allocateDirect(8 + bytes.limit() + 8)
                          : ByteBuffer.allocate(8 + bytes.limit() + 8);
                  room.position(8).put(bytes.rewind()).flip().position(8).order(order);
                  assertArrives(ends, ArraySource.of(room, type), type, array);
                  assertArrives(ends, ArraySource.of(typed(room, type)), type, array);
                  assertThat(room.position()).isEqualTo(8);
                }
              }
            }
          }
        });
  }

  /** Asked for before it comes, and behind that; by any encoding; what does not fit stays. */
  @Test
  default void arraysAreReceivedIntoBuffers() throws Exception {
    SeededArrays.check(
        1,
        arrays -> {
          for (boolean own : new boolean[] {false, true}) {
            Ends ends = own ? stage().ends(options -> options.codecs(OWN)) : stage().ends();
            ArrayInfo info = new ArrayInfo();
            for (ElementType type : ElementType.values()) {
              if (!type.isPrimitive() || type == ElementType.BOOLEAN) {
                continue;
              }
              for (int count : COUNTS) {
                Object array = arrays.array(type, count);
                ByteBuffer room =
                    ByteBuffer.allocateDirect((count + 4) * type.bytes())
                        .order(
                            arrays.between(0, 1) == 0
                                ? ByteOrder.LITTLE_ENDIAN
                                : ByteOrder.BIG_ENDIAN);
                Buffer target = typed(room, type).position(3);
                boolean early = arrays.between(0, 1) == 0;
                Callable<Receipt> send =
                    () -> ends.here().send(ArraySlice.ofArray(array), SendOptions.processed());
                Callable<Boolean> receive =
                    () -> ends.there().receiveInto(target, info, Eventually.LONG);
                Running<Receipt> sending;
                Running<Boolean> receiving;
                if (early) {
                  receiving = Running.start(receive);
                  Described.awaitReceivers(ends.there(), 1);
                  sending = Running.start(send);
                } else {
                  sending = Running.start(send);
                  receiving = Running.start(receive);
                }
                assertThat(receiving.get()).isTrue();
                assertThat(sending.get().elements()).isEqualTo(count);
                assertThat(info.count()).isEqualTo(count);
                assertThat(target.position()).isEqualTo(3);
                Object came = type.newArray(count + 4);
                BulkElements.copy(typed(room, type), 0, came, 0, count + 4);
                Elements.assertSame(type, array, 0, came, 3, count);
                Elements.assertSame(type, type.newArray(4), 0, came, count + 3, 1);
              }
            }
            CompletionStage<Receipt> sent =
                ends.here().sendAsync(new int[] {1, 2}, SendOptions.processed());
            IntBuffer small = ByteBuffer.allocateDirect(4).asIntBuffer();
            assertThatThrownBy(() -> ends.there().receiveInto(small, info))
                .isInstanceOf(TargetMismatchException.class)
                .hasMessageContainingAll("count=2", "room=1");
            IntBuffer heap = IntBuffer.allocate(3).position(1);
            ends.there().receiveInto(heap, info);
            assertThat(heap.array()).containsExactly(0, 1, 2);
            Eventually.get(sent);
            assertThatThrownBy(
                    () -> ends.there().receiveInto(heap.asReadOnlyBuffer(), info, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
          }
        });
  }

  @Test
  default void aBufferIsSentInEveryWay() throws Exception {
    Ends ends = stage().ends();
    FloatBuffer samples = FloatBuffer.wrap(new float[] {9, 1, 2, 3}, 1, 2);
    ByteBuffer direct = ByteBuffer.allocateDirect(8).putFloat(1).putFloat(2).flip();
    for (Buffer buffer : List.of(samples, direct.asFloatBuffer())) {
      Running<Receipt> sent =
          Running.start(() -> ends.here().send(buffer, SendOptions.processed()));
      assertThat(ends.there().receive().floats()).containsExactly(1, 2);
      assertThat(sent.get().elements()).isEqualTo(2);
      CompletionStage<Receipt> later = ends.here().sendAsync(buffer, SendOptions.processed());
      assertThat(ends.there().receive().floats()).containsExactly(1, 2);
      Eventually.get(later);
      assertThat(ends.here().offer(buffer)).isEqualTo(OfferStatus.ACCEPTED);
      assertThat(ends.there().receive().floats()).containsExactly(1, 2);
    }
    Connection asking =
        stage()
            .connectionTo(
                Handlers.ofRequests((from, request, reply) -> {
                  var unused = reply.send(ArraySource.rows(new float[][] {request.floats(), {3}}));
                }));
    assertThat(asking.call(samples, Duration.ofMinutes(1)).floats()).containsExactly(1, 2, 3);
  }

  @Test
  default void whatIsOfferedOrPublishedIsTheCallersAgain() throws Exception {
    Listener listener = stage().closing(stage().transport().listen(stage().address()));
    Connection here = stage().closing(stage().transport().connect(listener.address()));
    Connection there = stage().closing(listener.accept());
    int count = 100_000;
    ByteBuffer direct = ByteBuffer.allocateDirect(4 * count).order(ByteOrder.nativeOrder());
    for (int i = 0; i < count; i++) {
      direct.putInt(4 * i, i);
    }
    try (Subscription subscription = here.subscribe("ints", SubscribeOptions.defaults())) {
      assertThat(listener.publish("ints", ArraySource.of(direct, ElementType.INT)).subscribers())
          .isEqualTo(1);
      assertThat(here.offer(direct.asIntBuffer())).isEqualTo(OfferStatus.ACCEPTED);
      direct.putInt(4 * (count - 1), -1);
      assertThat(subscription.receive().ints()[count - 1]).isEqualTo(count - 1);
      assertThat(there.receive().ints()[count - 1]).isEqualTo(count - 1);
    }
  }

  @Test
  default void filesAndRegionsOfFilesArrive() throws Exception {
    SeededArrays.check(
        1,
        arrays -> {
          Ends ends = stage().ends();
          for (ElementType type :
              List.of(ElementType.FLOAT, ElementType.LONG, ElementType.SHORT, ElementType.BYTE)) {
            for (int count : COUNTS) {
              Object array = arrays.array(type, count);
              for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                Path path = file(bytes(type, array, count, order));
                assertArrives(ends, ArraySource.file(path, type, order), type, array);
                ByteBuffer framed = ByteBuffer.allocate(3 + count * type.bytes() + 5);
                framed.position(3).put(bytes(type, array, count, order));
                Path behind = file(framed);
                try (FileChannel channel = FileChannel.open(behind)) {
                  ArraySource region = ArraySource.file(channel, 3, type, order, count);
                  assertArrives(ends, region, type, array);
                  assertThat(channel.position()).isZero();
                }
                assertArrives(ends, ArraySource.file(behind, 3, type, order, count), type, array);
                Files.delete(path);
                Files.delete(behind);
              }
            }
          }
        });
  }

  @Test
  default void rowsArriveAsOneArray() throws Exception {
    Ends ends = stage().ends();
    float[][] table = new float[70][1_000];
    float[] all = new float[70_000];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
      table[i / 1_000][i % 1_000] = i;
    }
    assertArrives(ends, ArraySource.rows(table), ElementType.FLOAT, all);
    assertArrives(
        ends,
        ArraySource.rows(new boolean[][] {{true}, {}, {false, true}}),
        ElementType.BOOLEAN,
        new boolean[] {true, false, true});
    CompletionStage<Receipt> shaped =
        ends.here().sendAsync(ArraySource.rows(table), SendOptions.processed().shape(70, 1_000));
    assertThat(ends.there().receive().header().attributes().shape()).containsExactly(70, 1_000);
    Eventually.get(shaped);
  }

  /** Where elements do not travel as they lie in memory, and where there are no frames. */
  @Test
  default void everyEncodingTakesThem() throws Exception {
    int count = 50_000;
    int[] ints = new int[count];
    for (int i = 0; i < count; i++) {
      ints[i] = 31 * i;
    }
    ByteBuffer direct = ByteBuffer.allocateDirect(4 * count);
    BulkElements.put(ElementType.INT, ints, 0, count, direct, ByteOrder.BIG_ENDIAN);
    ArraySource source = ArraySource.of(direct.flip(), ElementType.INT);
    assertArrives(
        stage().ends(options -> options.codecs(StandardCodecs.protobuf())),
        source,
        ElementType.INT,
        ints);
    assertArrives(stage().ends(options -> options.codecs(OWN)), source, ElementType.INT, ints);
    Ends plain = stage().ends(options -> options.plain(ElementType.INT));
    Running<Receipt> sending = Running.start(() -> plain.here().send(source));
    assertThat(plain.there().receive().ints()).isEqualTo(ints);
    assertThat(sending.get().elements()).isEqualTo(count);
    plain.here().closeNow();
  }

  /** Reads zeros up to an element, and fails from there on; then at the next one, and so on. */
  record Failing(int size, int from, AtomicInteger opened) implements ArraySource, ElementReader {
    @Override
    public ElementType type() {
      return ElementType.INT;
    }

    @Override
    public long count() {
      return size;
    }

    @Override
    public ElementReader open() {
      opened.incrementAndGet();
      return this;
    }

    @Override
    public void read(long index, int elements, ByteBuffer target) throws IOException {
      if (index + elements > from) {
        throw new IOException("the disk is gone");
      }
      target.position(target.position() + 4 * elements);
    }

    @Override
    public void close() {
      opened.decrementAndGet();
    }
  }

  /** At the first element, somewhere, at the last one; alone and behind others of its channel. */
  @Test
  default void aSourceThatCannotBeReadFailsItsOwnSendOnly() throws Exception {
    Ends ends = stage().ends();
    AtomicInteger open = new AtomicInteger();
    int sent = 0;
    for (int count : List.of(1, 2_000, 5_000, 1_000_000)) {
      for (int from : List.of(0, count / 3, count - 1)) {
        CompletionStage<Receipt> before =
            ends.here().sendAsync(new int[] {1}, SendOptions.processed());
        Failing source = new Failing(count, from, open);
        CompletionStage<Receipt> failing =
            ends.here().sendAsync(source, SendOptions.processed().tag(3));
        CompletionStage<Receipt> after =
            ends.here().sendAsync(new int[] {2}, SendOptions.processed());
        assertThat(ends.there().receive().ints()).containsExactly(1);
        assertThat(ends.there().receive().ints()).containsExactly(2);
        assertThat(Eventually.get(before).elements()).isEqualTo(1);
        assertThat(Eventually.get(after).elements()).isEqualTo(1);
        assertThat(Eventually.reason(failing))
            .isInstanceOf(ArraywireException.class)
            .matches(ErrorCode.SOURCE_FAILED::isOf)
            .hasMessageContaining("the disk is gone");
        sent += 2;
        if (count > 5_000) {
          // Nobody receives, so there is not credit for all of it.
          continue;
        }
        assertThatThrownBy(() -> ends.here().send(source, SendOptions.handedOff()))
            .matches(ErrorCode.SOURCE_FAILED::isOf)
            .hasRootCauseMessage("the disk is gone");
        assertThatThrownBy(() -> ends.here().call(source, Duration.ofMinutes(1)))
            .matches(ErrorCode.SOURCE_FAILED::isOf);
        assertThatThrownBy(() -> ends.here().offer(source))
            .isInstanceOf(IllegalStateException.class)
            .hasMessageContaining("the disk is gone");
      }
    }
    assertThat(open).hasValue(0);
    CompletionStage<Receipt> last =
        ends.here().sendAsync(new int[2_000_000], SendOptions.processed());
    assertThat(ends.there().receive().header().sequence()).isGreaterThan(sent);
    Eventually.get(last);
    assertThat(ends.here().load().queuedArrays()).isZero();
  }

  @Test
  default void aFileThatChangedIsNotDelivered() throws Exception {
    Ends ends = stage().ends();
    int count = 400_000;
    Path path = file(bytes(ElementType.INT, new int[count], count, ByteOrder.LITTLE_ENDIAN));
    ArraySource whole = ArraySource.file(path, ElementType.INT);
    ArraySource part =
        ArraySource.file(path, 4, ElementType.INT, ByteOrder.LITTLE_ENDIAN, count - 2);
    try (FileChannel channel =
        FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ArraySource region =
          ArraySource.file(channel, 0, ElementType.INT, ByteOrder.LITTLE_ENDIAN, count);
      channel.truncate(4L * count - 1);
      assertThatThrownBy(() -> ends.here().send(region))
          .matches(ErrorCode.SOURCE_FAILED::isOf)
          .hasMessageContainingAll("shorter", "bytes=" + (4 * count - 1), "needed=" + 4 * count);
      channel.write(ByteBuffer.allocate(1), 4L * count - 1);
      assertArrives(ends, region, ElementType.INT, new int[count]);
    }
    Files.setLastModifiedTime(path, FileTime.fromMillis(1_000));
    for (ArraySource changed : List.of(whole, part)) {
      assertThatThrownBy(() -> ends.here().send(changed))
          .matches(ErrorCode.SOURCE_FAILED::isOf)
          .hasMessageContainingAll("changed since the source was made", "modified=1970");
    }
    Files.delete(path);
    assertThatThrownBy(() -> ends.here().send(whole)).matches(ErrorCode.SOURCE_FAILED::isOf);
    assertThatThrownBy(() -> ArraySource.file(path, ElementType.INT))
        .isInstanceOf(java.nio.file.NoSuchFileException.class);
  }

  @Test
  default void aSourceThatCannotBeIsRefused() throws Exception {
    ByteBuffer seven = ByteBuffer.allocate(7);
    assertThatThrownBy(() -> ArraySource.of(seven, ElementType.INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("bytes=7", "type=int");
    assertThatThrownBy(() -> ArraySource.of(seven.asIntBuffer(), ElementType.FLOAT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("type=float", "buffer=int");
    assertThatThrownBy(() -> ArraySource.of(seven, ElementType.BOOLEAN))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("boolean[]");
    assertThatThrownBy(() -> ArraySource.file(file(seven), ElementType.INT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("bytes=7", "type=int");
    Path one = file(ByteBuffer.allocate(4));
    assertThatThrownBy(() -> ArraySource.file(one, -1, ElementType.INT, ByteOrder.BIG_ENDIAN, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("position=-1", "count=1");
    assertThatThrownBy(() -> ArraySource.rows(new Object[] {new int[1], new long[1]}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("first=int", "type=long", "row=1");
    assertThatThrownBy(() -> ArraySource.rows(new Object[0]))
        .isInstanceOf(IllegalArgumentException.class);
    Ends ends = stage().ends();
    assertThatThrownBy(() ->
            ends.here().send(ArraySource.rows(new int[2][3]), SendOptions.processed().shape(4, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shape");
  }
}
