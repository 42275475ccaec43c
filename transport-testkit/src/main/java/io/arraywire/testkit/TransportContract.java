package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.Agreement;
import io.arraywire.AllocationFailedException;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.AuthenticationException;
import io.arraywire.BadMagicException;
import io.arraywire.BindFailedException;
import io.arraywire.CloseTimeoutException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Connection;
import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionResetException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.FrameTooLargeException;
import io.arraywire.HandshakeTimeoutException;
import io.arraywire.LeasedArray;
import io.arraywire.Listener;
import io.arraywire.NegotiationException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TargetingArrayHandler;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.TruncatedException;
import io.arraywire.UnsupportedVersionException;
import io.arraywire.spi.Codec;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.testkit.Patience.Running;
import io.arraywire.wire.FrameLayout;
import io.arraywire.wire.FrameType;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.lang.reflect.Array;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link Transport} must do. Extend it to check one of your own:
 *
 * <pre>{@code
 * class MyTransportTest extends TransportContract {
 *   @Override
 *   protected Transport transport(TransportOptions options) {
 *     return MyTransport.create(options);
 *   }
 *
 *   @Override
 *   protected SocketAddress freeAddress() {
 *     return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
 *   }
 * }
 * }</pre>
 *
 * <p>The transport's own codecs are used, the first of which must encode all eight element types.
 * Each test ends with every piece of pooled memory given back, and with none of the transport's
 * threads left: those whose names begin with {@code arraywire-}, except for {@code
 * arraywire-handler} and {@code arraywire-deadlines}, which all transports share.
 *
 * <p>Nothing here depends on how fast a machine is: tests wait for what must happen, for a minute
 * if need be. Needs some hundred MiB of heap.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class TransportContract {
  /** Larger than all buffers between two ends together, so that a sender has to wait. */
  private static final int MORE_THAN_BUFFERS = 48 << 20;

  private static final byte[] SECRET = "open sesame".getBytes(StandardCharsets.UTF_8);

  private final TestMemoryPool memory = TestMemoryPool.create();
  private final TrackingMemoryPool pool = TrackingMemoryPool.around(memory);
  private final Set<Thread> threadsBefore = threads();
  private final List<Transport> transports = new ArrayList<>();
  private final List<RawPeer> peers = new ArrayList<>();
  private final List<RawPeer.Door> doors = new ArrayList<>();

  /** For JUnit. */
  protected TransportContract() {}

  // What an implementation says of itself.

  /**
   * Makes a transport.
   *
   * @param options the options to make it with
   * @return a new transport, which the contract closes
   */
  protected abstract Transport transport(TransportOptions options);

  /**
   * An address to listen on.
   *
   * @return an address that is free, a new one at each call, or one that stands for any free one
   * @throws Exception if there is none
   */
  protected abstract SocketAddress freeAddress() throws Exception;

  /**
   * The options to begin with.
   *
   * @return a builder; by default one with the defaults
   */
  protected TransportOptions.Builder options() {
    return TransportOptions.builder();
  }

  /**
   * How often a byte of a large array is copied in user space on its way from the array to the
   * kernel.
   *
   * @return copies per byte, exactly; by default 1
   */
  protected double copiesToSend() {
    return 1;
  }

  /**
   * How often a byte of a large array is copied in user space on its way from the kernel to the
   * array of a waiting {@code receiveInto}.
   *
   * @return copies per byte, exactly; by default 1
   */
  protected double copiesToReceiveInto() {
    return 1;
  }

  /**
   * How often a byte of a large array is copied in user space on its way from the kernel to a lease
   * that somebody waits for.
   *
   * @return copies per byte, but for what is read together with a header; by default 0
   */
  protected double copiesToLease() {
    return 0;
  }

  /**
   * The sizes of windows, buffers and batches inside the transport, around which arrays are tried.
   *
   * @return sizes in bytes; by default those of chunks and batches, and 1 MiB
   */
  protected int[] edges() {
    return new int[] {16 << 10, 64 << 10, 256 << 10, 1 << 20};
  }

  // The bench.

  /**
   * Ends everything that a test has begun, and looks whether anything is left.
   *
   * @throws Exception if the test fails
   */
  @AfterEach
  public final void nothingIsLeft() throws Exception {
    for (RawPeer peer : peers) {
      peer.close();
    }
    for (RawPeer.Door door : doors) {
      door.close();
    }
    for (Transport transport : transports) {
      transport.close();
    }
    assertThat(pool.leaks()).as("memory that was not given back").isEmpty();
    Patience.eventually(() -> "threads are left: " + ownThreads(), () -> ownThreads().isEmpty());
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread ->
            thread.getName().startsWith("arraywire-")
                && !thread.getName().startsWith("arraywire-handler")
                && !thread.getName().startsWith("arraywire-deadlines"))
        .collect(Collectors.toSet());
  }

  private Set<Thread> ownThreads() {
    Set<Thread> now = new HashSet<>(threads());
    now.removeAll(threadsBefore);
    return now;
  }

  private Transport make(UnaryOperator<TransportOptions.Builder> change) {
    Transport made = transport(change.apply(options().memoryPool(pool)).build());
    transports.add(made);
    return made;
  }

  private Transport make() {
    return make(options -> options);
  }

  private RawPeer rawPeer(Listener listener) throws Exception {
    RawPeer peer = RawPeer.connect(listener.address());
    peers.add(peer);
    return peer;
  }

  private RawPeer.Door door() throws Exception {
    RawPeer.Door door = RawPeer.listen(freeAddress());
    doors.add(door);
    return door;
  }

  /** A connection and both its ends. */
  private record Ends(Listener listener, Connection one, Connection other) {}

  private Ends ends() throws Exception {
    return ends(options -> options);
  }

  private Ends ends(UnaryOperator<TransportOptions.Builder> both) throws Exception {
    return ends(both, both);
  }

  private Ends ends(
      UnaryOperator<TransportOptions.Builder> connecting,
      UnaryOperator<TransportOptions.Builder> listening)
      throws Exception {
    Listener listener = make(listening).listen(freeAddress());
    Connection one = make(connecting).connect(listener.address());
    return new Ends(listener, one, listener.accept());
  }

  private Connection connectTo(ArrayHandler handler) throws Exception {
    return connectTo(handler, options -> options);
  }

  private Connection connectTo(
      ArrayHandler handler, UnaryOperator<TransportOptions.Builder> options) throws Exception {
    Listener listener = make(options).listen(freeAddress(), handler);
    return make(options).connect(listener.address());
  }

  private static float[] ramp(int count) {
    float[] floats = new float[count];
    for (int i = 0; i < count; i++) {
      floats[i] = i;
    }
    return floats;
  }

  private static void assertSame(Object expected, ArraySlice actual) {
    ElementType type = ElementType.of(expected);
    assertThat(actual.type()).isEqualTo(type);
    assertThat(actual.length()).isEqualTo(Array.getLength(expected));
    for (int i = 0; i < actual.length(); i++) {
      if (!NaiveElements.same(type, expected, i, actual.array(), actual.offset() + i)) {
        throw new AssertionError(
            "elements differ (type="
                + type.javaName()
                + ", count="
                + actual.length()
                + ", at="
                + i
                + ")");
      }
    }
  }

  private int[] counts(ElementType type) {
    Set<Integer> counts = new HashSet<>(List.of(0, 1, 2, 3));
    for (int edge : edges()) {
      int count = edge / type.bytes();
      // A header, or a header and the prefix of an encoding, may be counted in.
      for (int less : new int[] {0, 64 / type.bytes(), 32 / type.bytes()}) {
        counts.addAll(List.of(count - less - 1, count - less, count - less + 1));
      }
    }
    return counts.stream().mapToInt(Integer::intValue).sorted().toArray();
  }

  // Arrays come as they were sent.

  /**
   * The eight lines of the README.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void helloWorld() throws Exception {
    Listener listener = make().listen(freeAddress());
    Connection sender = make().connect(listener.address());
    sender.send(new float[] {1, 2, 3});
    Connection receiver = listener.accept();
    assertThat(receiver.receive().floats()).containsExactly(1, 2, 3);
  }

  /**
   * Every type, around the edge of everything that an array passes through.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void everyTypeAndSize() throws Exception {
    Ends ends = ends();
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        for (int count : counts(type)) {
          Object array = arrays.array(type, count);
          CompletionStage<Receipt> sent = ends.one.sendAsync(ArraySlice.ofArray(array));
          assertSame(array, ends.other.receive().slice());
          Patience.get(sent);
        }
      }
    });
  }

  /**
   * Every type into the caller's own array, at any offset on either side, and nothing beside it.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void everyTypeIntoTheCallersArray() throws Exception {
    Ends ends = ends();
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        for (int count : new int[] {0, 1, 1000, (64 << 10) + 1, (256 << 10) + 1}) {
          int from = arrays.between(0, 9);
          int to = arrays.between(0, 9);
          Object source = arrays.array(type, from + count + 5);
          Object target = arrays.array(type, to + count + 5);
          Object expected = type.newArray(Array.getLength(target));
          System.arraycopy(target, 0, expected, 0, Array.getLength(target));
          System.arraycopy(source, from, expected, to, count);
          Running<ReceivedArray> received =
              Patience.start(
                  () -> ends.other.receiveInto(ArraySlice.ofArray(target, to, count + 3)));
          ends.one.send(ArraySlice.ofArray(source, from, count));
          assertThat(received.get().count()).isEqualTo(count);
          assertThat(received.get().slice().array()).isSameAs(target);
          assertThat(received.get().slice().offset()).isEqualTo(to);
          assertSame(expected, ArraySlice.ofArray(target));
        }
      }
    });
  }

  /**
   * Every type on loan.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void everyTypeOnLoan() throws Exception {
    Ends ends = ends();
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        for (int count : new int[] {0, 1, 1000, (64 << 10) + 1, 300_000}) {
          Object array = arrays.array(type, count);
          Running<LeasedArray> leased = Patience.start(ends.other::receiveLeased);
          ends.one.send(ArraySlice.ofArray(array));
          try (LeasedArray lease = leased.get()) {
            assertThat(lease.header().count()).isEqualTo(count);
            assertThat(lease.header().type()).isEqualTo(type);
            Object copy = type.newArray(count);
            lease.copyTo(ArraySlice.ofArray(copy));
            assertSame(array, ArraySlice.ofArray(copy));
            assertSame(array, ArraySlice.ofArray(views(lease)));
          }
        }
      }
    });
  }

  /** The elements as the views of the segments show them. */
  private static Object views(LeasedArray lease) {
    ElementType type = lease.header().type();
    Object all = type.newArray(lease.header().count());
    int at = 0;
    for (int i = 0; i < lease.segments(); i++) {
      switch (type) {
        case FLOAT -> at += take(lease.floats(i).remaining(), lease.floats(i)::get, all, at);
        case INT -> at += take(lease.ints(i).remaining(), lease.ints(i)::get, all, at);
        case DOUBLE -> at += take(lease.doubles(i).remaining(), lease.doubles(i)::get, all, at);
        case LONG -> at += take(lease.longs(i).remaining(), lease.longs(i)::get, all, at);
        case SHORT -> at += take(lease.shorts(i).remaining(), lease.shorts(i)::get, all, at);
        case CHAR -> at += take(lease.chars(i).remaining(), lease.chars(i)::get, all, at);
        case BYTE -> at += take(lease.bytes(i).remaining(), lease.bytes(i)::get, all, at);
        case BOOLEAN -> {
          ByteBuffer view = lease.booleans(i);
          while (view.hasRemaining()) {
            ((boolean[]) all)[at++] = view.get() != 0;
          }
        }
      }
    }
    assertThat(at).isEqualTo(lease.header().count());
    return all;
  }

  @FunctionalInterface
  private interface Getter {
    Object get(int index);
  }

  private static int take(int count, Getter view, Object into, int at) {
    for (int i = 0; i < count; i++) {
      Array.set(into, at + i, view.get(i));
    }
    return count;
  }

  /**
   * Tag, shape and metadata arrive with their array.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void attributes() throws Exception {
    Ends ends = ends();
    byte[] metadata = new byte[ArrayAttributes.MAX_METADATA_BYTES];
    Arrays.fill(metadata, (byte) -3);
    long[] dimensions = new long[ArrayAttributes.MAX_DIMENSIONS];
    Arrays.fill(dimensions, 1);
    dimensions[3] = 6;
    List<SendOptions> all =
        List.of(
            SendOptions.handedOff(),
            SendOptions.handedOff().tag(-1),
            SendOptions.processed().tag(Long.MIN_VALUE).shape(2, 3),
            SendOptions.handedOff().shape(6, 1, 1),
            SendOptions.processed().metadata(new byte[] {0}),
            SendOptions.handedOff().tag(5).shape(dimensions).metadata(metadata));
    for (SendOptions options : all) {
      CompletionStage<Receipt> sent = ends.one.sendAsync(ArraySlice.of(ramp(6)), options);
      ReceivedArray received = ends.other.receive();
      assertThat(received.header().attributes()).isEqualTo(options.attributes());
      assertThat(received.tag()).isEqualTo(options.attributes().tag());
      Patience.get(sent);
    }
    CompletionStage<Receipt> sent =
        ends.one.sendAsync(ArraySlice.of(new int[0]), SendOptions.processed().shape(3, 0));
    assertThat(ends.other.receive().header().attributes().shape()).containsExactly(3, 0);
    Patience.get(sent);
  }

  /**
   * A handler gets every array, in order, with the connection that it came on.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void handler() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector);
    for (int i = 0; i < 100; i++) {
      sender.send(ramp(i * 100));
    }
    for (int i = 0; i < 100; i++) {
      ReceivedArray received = collector.next();
      assertThat(received.header().sequence()).isEqualTo(i + 1);
      assertThat(received.floats()).isEqualTo(ramp(i * 100));
    }
    sender.close();
    collector.awaitOrderlyEnd();
  }

  /** Answers with arrays of its own. */
  private static class Targeting extends Collector implements TargetingArrayHandler {
    final List<ArrayHeader> asked = new ArrayList<>();

    @Override
    public ArraySlice target(Connection connection, ArrayHeader header) throws Exception {
      synchronized (asked) {
        asked.add(header);
      }
      return ArraySlice.ofArray(header.type().newArray(header.count() + 3), 2, header.count() + 1);
    }
  }

  /**
   * A handler that is asked first has each array in the memory that it named.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void targetingHandler() throws Exception {
    Targeting targeting = new Targeting();
    Connection sender = connectTo(targeting);
    List<CompletionStage<Receipt>> sends = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      sends.add(
          sender.sendAsync(
              ArraySlice.of(ramp(i * 3000)), SendOptions.processed().tag(i).shape(i * 3000L)));
    }
    for (int i = 0; i < 50; i++) {
      Patience.get(sends.get(i));
      ReceivedArray received = targeting.next();
      assertThat(received.slice().offset()).isEqualTo(2);
      assertSame(ramp(i * 3000), received.slice());
      assertThat(targeting.asked.get(i)).isEqualTo(received.header());
    }
    sender.close();
    targeting.awaitOrderlyEnd();
  }

  /**
   * A handler answers on the connection that it is called for.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void echo() throws Exception {
    Connection one = connectTo((connection, array) -> connection.sendAsync(array.slice()));
    for (int i = 0; i < 200; i++) {
      int[] array = {i, i + 1};
      one.send(array);
      assertThat(one.receive().ints()).isEqualTo(array);
    }
  }

  /**
   * Receipts say what the transfer cost, exactly.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void receipts() throws Exception {
    Ends ends = ends();
    Agreement agreement = ends.one.agreement();
    Encoding encoding = encoding(agreement);
    int chunk = agreement.chunkBytes();
    for (int count : new int[] {0, 1, chunk / 4 - 1, chunk / 4, chunk / 4 + 1, 1 << 18, 1 << 20}) {
      float[] target = new float[count];
      Running<ReceivedArray> receiving =
          waiting(ends.other, () -> ends.other.receiveInto(ArraySlice.of(target)));
      Receipt sent =
          ends.one.send(ArraySlice.of(ramp(count)), SendOptions.processed().shape(count));
      Receipt received = receiving.get().receipt();
      long encoded = encoding.encodedBytes(ElementType.FLOAT, count);
      int prefix = encoding.prefixBytes(ElementType.FLOAT, count);
      int inFirst = Math.min(count, (chunk - prefix) / 4);
      long frames = 1 + (count - inFirst + chunk / 4 - 1L) / (chunk / 4);
      long attributes = attributeBytes(count);
      assertThat(sent.elements()).isEqualTo(count);
      assertThat(sent.wireBytes())
          .as("bytes on the wire of %d elements", count)
          .isEqualTo(frames * FrameLayout.HEADER_BYTES + attributes + encoded);
      assertThat(sent.channelOperations()).isBetween(1L, sent.wireBytes());
      assertThat(sent.pooledBytes()).isZero();
      assertThat(received.elements()).isEqualTo(count);
      assertThat(received.wireBytes()).isEqualTo(sent.wireBytes());
      assertThat(received.channelOperations()).isBetween(1L, received.wireBytes());
      assertThat(received.pooledBytes()).isZero();
      assertThat((double) sent.copiedBytes())
          .as("bytes copied to send %d", encoded)
          .isEqualTo(copiesToSend() * encoded);
      assertThat((double) received.copiedBytes())
          .as("bytes copied to receive %d", encoded)
          .isEqualTo(copiesToReceiveInto() * (encoded - prefix));
      assertThat(target).isEqualTo(ramp(count));
    }
  }

  private static long attributeBytes(int dimension) {
    int varint = dimension == 0 ? 1 : (38 - Integer.numberOfLeadingZeros(dimension)) / 7;
    return 2L + varint;
  }

  private static Encoding encoding(Agreement agreement) {
    for (Encoding encoding :
        List.of(
            Encoding.RAW_LITTLE_ENDIAN,
            Encoding.RAW_BIG_ENDIAN,
            Encoding.JAVA_OBJECT,
            Encoding.PROTOBUF)) {
      if (encoding.name().equals(agreement.sendEncoding())) {
        return encoding;
      }
    }
    throw new AssertionError("not a standard encoding: " + agreement);
  }

  /** Begins a receive call and returns once it is in line. */
  private static <T> Running<T> waiting(Connection connection, Patience.Call<T> call)
      throws Exception {
    Running<T> running = Patience.start(call);
    Patience.eventually(
        connection::describe,
        () -> running.isDone() || connection.describe().contains("waitingReceivers=1"));
    return running;
  }

  /**
   * What is lent out was not copied on its way, and is counted.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void receiptsOfLeases() throws Exception {
    Ends ends = ends();
    for (int count : new int[] {1 << 16, 1 << 18, 1 << 20}) {
      Running<LeasedArray> leased = waiting(ends.other, ends.other::receiveLeased);
      ends.one.send(ramp(count));
      try (LeasedArray lease = leased.get()) {
        Receipt receipt = lease.receipt();
        assertThat(receipt.elements()).isEqualTo(count);
        assertThat(receipt.pooledBytes()).isEqualTo(4L * count);
        assertThat(receipt.copiesPerByte(4L * count))
            .as("copies per byte of a lease")
            .isBetween(copiesToLease(), copiesToLease() + 0.005);
      }
    }
  }

  // Order and concurrency.

  /**
   * Thousands of arrays in both directions at once, pipelined, come in order.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void bothDirectionsAtOnce() throws Exception {
    Ends ends = ends();
    int count = 2000;
    List<Running<?>> all = new ArrayList<>();
    for (Connection[] way : new Connection[][] {{ends.one, ends.other}, {ends.other, ends.one}}) {
      all.add(
          Patience.run(() -> {
            List<CompletionStage<Receipt>> sends = new ArrayList<>();
            for (int i = 0; i < count; i++) {
              int[] array = new int[size(i)];
              Arrays.fill(array, i);
              sends.add(
                  way[0].sendAsync(
                      ArraySlice.of(array),
                      (i % 3 == 0 ? SendOptions.processed() : SendOptions.handedOff()).tag(i)));
            }
            for (CompletionStage<Receipt> sent : sends) {
              Patience.get(sent);
            }
          }));
      all.add(
          Patience.run(() -> {
            for (int i = 0; i < count; i++) {
              ReceivedArray received = way[1].receive();
              assertThat(received.tag()).isEqualTo(i);
              assertThat(received.header().sequence()).isEqualTo(i + 1);
              assertThat(received.ints()).hasSize(size(i)).containsOnly(i);
            }
          }));
    }
    for (Running<?> each : all) {
      each.get();
    }
  }

  private static int size(int i) {
    return 1 + (i % 100 == 99 ? 50_000 : i % 50);
  }

  /**
   * Several threads send on one connection: each array whole, each thread's in its order.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void manySenders() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector);
    int threads = 4;
    int each = 250;
    List<Running<?>> senders = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int thread = t;
      senders.add(
          Patience.run(() -> {
            for (int i = 0; i < each; i++) {
              int[] array = new int[i % 10 == 0 ? 30_000 : 10];
              Arrays.fill(array, thread);
              SendOptions options = i % 7 == 0 ? SendOptions.processed() : SendOptions.handedOff();
              sender.send(ArraySlice.of(array), options.tag(i));
              Arrays.fill(array, -1);
            }
          }));
    }
    for (Running<?> running : senders) {
      running.get();
    }
    sender.close();
    collector.awaitOrderlyEnd();
    Map<Integer, Integer> next = new HashMap<>();
    for (ReceivedArray received : collector.all()) {
      int thread = received.ints()[0];
      assertThat(received.ints()).containsOnly(thread);
      assertThat(received.tag()).isEqualTo((long) next.merge(thread, 1, Integer::sum) - 1);
    }
    assertThat(collector.size()).isEqualTo(threads * each);
  }

  /**
   * Several threads receive on one connection: each array goes to one of them.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void manyReceivers() throws Exception {
    Ends ends = ends();
    int count = 400;
    AtomicInteger left = new AtomicInteger(count);
    Set<Long> tags = new HashSet<>();
    List<Running<?>> receivers = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      receivers.add(
          Patience.run(() -> {
            while (left.getAndDecrement() > 0) {
              ReceivedArray received = ends.other.receive();
              synchronized (tags) {
                assertThat(tags.add(received.tag())).isTrue();
              }
            }
          }));
    }
    for (int i = 0; i < count; i++) {
      ends.one.send(ArraySlice.of(new short[i]), SendOptions.handedOff().tag(i));
    }
    for (Running<?> running : receivers) {
      running.get();
    }
    assertThat(tags).hasSize(count);
  }

  /**
   * Many connections of one listener do not mix.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void manyConnections() throws Exception {
    int count = 24;
    Map<Connection, List<Integer>> arrived = new HashMap<>();
    CountDownLatch closed = new CountDownLatch(count);
    ArrayHandler handler =
        new ArrayHandler() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) {
            synchronized (arrived) {
              arrived.computeIfAbsent(connection, key -> new ArrayList<>()).add(array.ints()[0]);
            }
          }

          @Override
          public void onClosed(Connection connection, @Nullable ArraywireException cause) {
            closed.countDown();
          }
        };
    Listener listener = make().listen(freeAddress(), handler);
    Transport client = make();
    List<Running<?>> all = new ArrayList<>();
    for (int c = 0; c < count; c++) {
      int number = c;
      all.add(
          Patience.run(() -> {
            try (Connection connection = client.connect(listener.address())) {
              for (int i = 0; i < 50; i++) {
                connection.send(new int[] {number * 1000 + i});
              }
            }
          }));
    }
    for (Running<?> running : all) {
      running.get();
    }
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(arrived).hasSize(count);
    Set<Integer> seen = new HashSet<>();
    for (List<Integer> values : arrived.values()) {
      int number = values.get(0) / 1000;
      assertThat(seen.add(number)).isTrue();
      for (int i = 0; i < 50; i++) {
        assertThat(values.get(i)).isEqualTo(number * 1000 + i);
      }
    }
  }

  /**
   * Who does not read slows its sender down, and gets everything in the end.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void backPressure() throws Exception {
    Ends ends = ends();
    float[] large = ramp(MORE_THAN_BUFFERS / 4);
    Running<Receipt> sent = Patience.start(() -> ends.one.send(large));
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("reading stopped"));
    assertThat(sent.isDone()).isFalse();
    // The other direction is not concerned.
    ends.other.send(new int[] {1});
    assertThat(ends.one.receive().ints()).containsExactly(1);
    assertSame(large, ends.other.receive().slice());
    assertThat(sent.get().elements()).isEqualTo(large.length);
  }

  /**
   * An array that was handed off is the caller's again.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void anArrayMayBeChangedOnceItsSendReturns() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector);
    int[] array = new int[20_000];
    for (int i = 0; i < 200; i++) {
      Arrays.fill(array, i);
      sender.send(array);
    }
    Arrays.fill(array, -1);
    for (int i = 0; i < 200; i++) {
      assertThat(collector.next().ints()).containsOnly(i);
    }
  }

  // Limits.

  /**
   * An array that is too large is refused before any byte is sent, with both sides' limits.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void arraysBeyondALimit() throws Exception {
    Ends ends =
        ends(options -> options.maxArrayBytes(4000), options -> options.maxArrayBytes(3000));
    assertThatThrownBy(() -> ends.one.send(ramp(751)))
        .isInstanceOf(ArrayTooLargeException.class)
        .hasMessageContaining("here=4000")
        .hasMessageContaining("peer=3000");
    assertThat(Patience.failure(ends.one.sendAsync(ArraySlice.of(ramp(751)))))
        .isInstanceOf(ArrayTooLargeException.class);
    ends.one.send(ramp(750 - 8));
    ReceivedArray received = ends.other.receive();
    assertThat(received.header().sequence()).isEqualTo(1);
    assertThat(received.floats()).isEqualTo(ramp(750 - 8));
  }

  /**
   * A peer that declares more than is accepted is told both numbers, and not allocated for.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void framesBeyondALimit() throws Exception {
    Collector collector = new Collector();
    Listener listener =
        make(options -> options.maxArrayBytes(1 << 20).maxFrameBytes(1 << 16).checksums(false))
            .listen(freeAddress(), collector);
    RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
    peer.send(
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(ramp(4)))
            .with(header -> {
              header.arrayBytes = 1L << 40;
              header.count = 1L << 38;
            }));
    assertThat(peer.expectError(ErrorCode.FRAME_TOO_LARGE))
        .contains("declared=1099511627776")
        .contains("limit=1048576");
    peer.expectEnd();
    assertThat(collector.awaitFailure()).isInstanceOf(FrameTooLargeException.class);
    assertThat(collector.size()).isZero();
    assertServes(listener);
  }

  // Handshakes.

  /**
   * No encoding in common: both sides say so, with both sides' encodings.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void noEncodingInCommon() throws Exception {
    Collector collector = new Collector();
    Listener listener =
        make(options -> options.codecs(new PlainCodec(Encoding.JAVA_OBJECT)))
            .listen(freeAddress(), collector);
    Transport client = make(options -> options.codecs(new PlainCodec(Encoding.PROTOBUF)));
    assertThatThrownBy(() -> client.connect(listener.address()))
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("java-object(3)")
        .hasMessageContaining("protobuf(4)");
    assertThat(collector.awaitFailure())
        .isInstanceOf(NegotiationException.class)
        .hasMessageContaining("here=[java-object(3)]")
        .hasMessageContaining("peer=[protobuf(4)]");
  }

  /**
   * No wire version in common: both sides say so, with both sides' versions.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void noVersionInCommon() throws Exception {
    Collector collector = new Collector();
    Listener listener = make().listen(freeAddress(), collector);
    RawPeer peer = rawPeer(listener);
    peer.send(Preamble.write(2, 9, HandshakeMessage.hello(RawPeer.offer())));
    assertThat(peer.expectReject(ErrorCode.UNSUPPORTED_VERSION))
        .contains("here=1-1")
        .contains("peer=2-9");
    peer.expectEnd();
    assertThat(collector.awaitFailure()).isInstanceOf(UnsupportedVersionException.class);

    RawPeer.Door door = door();
    Running<Connection> connecting = Patience.start(() -> make().connect(door.address()));
    RawPeer acceptor = door.accept();
    peers.add(acceptor);
    acceptor.readHandshake();
    acceptor.send(Preamble.write(2, 9, HandshakeMessage.welcome(RawPeer.offer(), 2)));
    assertThat(connecting.failure())
        .isInstanceOf(UnsupportedVersionException.class)
        .hasMessageContaining("peer=2-9");
    acceptor.expectEnd();
  }

  /**
   * A token that is missing, wrong and right.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void tokens() throws Exception {
    for (byte[] shown : new byte[][] {null, "wrong".getBytes(StandardCharsets.UTF_8), SECRET}) {
      Collector collector = new Collector();
      Listener listener =
          make(options -> options.authToken(SECRET)).listen(freeAddress(), collector);
      Transport client = make(options -> options.authToken(shown));
      if (Arrays.equals(shown, SECRET)) {
        Connection connection = client.connect(listener.address());
        connection.send(ramp(1_000_000));
        assertThat(collector.next().count()).isEqualTo(1_000_000);
      } else {
        assertThatThrownBy(() -> client.connect(listener.address()))
            .isInstanceOf(AuthenticationException.class)
            .hasMessageNotContaining("sesame");
        assertThat(collector.awaitFailure()).isInstanceOf(AuthenticationException.class);
      }
    }
  }

  /**
   * A peer that says nothing is left after a while, whichever side it is on.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void silentPeers() throws Exception {
    Duration shortly = Duration.ofMillis(300);
    Collector collector = new Collector();
    Listener listener =
        make(options -> options.handshakeTimeout(shortly)).listen(freeAddress(), collector);
    RawPeer silent = rawPeer(listener);
    byte[] hello = RawPeer.preambled(HandshakeMessage.hello(RawPeer.offer()));
    silent.send(Arrays.copyOf(hello, hello.length - 1));
    silent.expectEnd();
    assertThat(collector.awaitFailure())
        .isInstanceOf(HandshakeTimeoutException.class)
        .hasMessageContaining("handshakeTimeout=PT0.3S");
    assertServes(listener);

    RawPeer.Door door = door();
    Transport client = make(options -> options.handshakeTimeout(shortly));
    assertThatThrownBy(() -> client.connect(door.address()))
        .isInstanceOf(HandshakeTimeoutException.class);
  }

  /** The listener still serves others. */
  private void assertServes(Listener listener) throws Exception {
    Connection next = make(options -> options.checksums(false)).connect(listener.address());
    next.send(ArraySlice.of(new byte[] {7}), SendOptions.processed());
    next.close();
  }

  /** What strangers say first, over and over. */
  private static List<byte[]> strangers() {
    byte[] garbage = new byte[5000];
    for (int i = 0; i < garbage.length; i++) {
      garbage[i] = (byte) (i * 31 + 7);
    }
    return List.of(
        "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        "HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
        new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3},
        new byte[] {0x15, 3, 1, 0, 2, 2, 40},
        new byte[4],
        new byte[100_000],
        garbage);
  }

  /**
   * A stranger at the door is sent away, and the next peer is served.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void strangersConnect() throws Exception {
    for (byte[] greeting : strangers()) {
      Collector collector = new Collector();
      Listener listener = make().listen(freeAddress(), collector);
      RawPeer stranger = rawPeer(listener);
      try {
        stranger.send(greeting);
      } catch (java.io.IOException e) {
        // It may be sent away before it has said everything.
        assertThat(greeting.length).isGreaterThan(4);
      }
      assertThat(stranger.expectEnd()).as("bytes that a stranger was told").isZero();
      assertThat(collector.awaitFailure()).isInstanceOf(BadMagicException.class);
      assertThat(collector.size()).isZero();
      assertServes(listener);
    }
  }

  /**
   * A server that is not Arraywire is left.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void strangersListen() throws Exception {
    for (byte[] greeting : strangers()) {
      RawPeer.Door door = door();
      Running<Connection> connecting = Patience.start(() -> make().connect(door.address()));
      RawPeer stranger = door.accept();
      peers.add(stranger);
      try {
        stranger.send(greeting);
      } catch (java.io.IOException e) {
        assertThat(greeting.length).isGreaterThan(4);
      }
      assertThat(connecting.failure()).isInstanceOf(BadMagicException.class);
      stranger.expectEnd();
    }
  }

  /**
   * Peers that are gone before the handshake is over.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void peersThatHangUp() throws Exception {
    byte[] hello = RawPeer.preambled(HandshakeMessage.hello(RawPeer.offer()));
    for (int length : new int[] {0, 3, 24, hello.length - 1}) {
      Collector collector = new Collector();
      Listener listener = make().listen(freeAddress(), collector);
      RawPeer peer = rawPeer(listener);
      peer.send(Arrays.copyOf(hello, length));
      peer.close();
      assertThat(collector.awaitFailure())
          .isInstanceOfAny(TruncatedException.class, ConnectionResetException.class);
    }
    RawPeer.Door door = door();
    Running<Connection> connecting = Patience.start(() -> make().connect(door.address()));
    RawPeer acceptor = door.accept();
    acceptor.readHandshake();
    acceptor.close();
    assertThat(connecting.failure())
        .isInstanceOfAny(TruncatedException.class, ConnectionResetException.class);
  }

  /**
   * Where nobody listens, and where somebody does already.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void addresses() throws Exception {
    Listener listener = make().listen(freeAddress());
    SocketAddress address = listener.address();
    assertThatThrownBy(() -> make().listen(address))
        .isInstanceOf(BindFailedException.class)
        .hasMessageContaining("address=");
    listener.close();
    assertThatThrownBy(() -> make().connect(address))
        .isInstanceOf(ConnectFailedException.class)
        .hasMessageContaining("address=");
    // The address is free again at once.
    Listener again = make().listen(address);
    Connection connection = make().connect(again.address());
    assertThat(connection.isOpen()).isTrue();
    assertThat(connection.remoteAddress()).isEqualTo(again.address());
  }

  // The orderly end.

  /**
   * A close right behind thousands of sends loses none of them.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingLosesNothing() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector);
    List<CompletionStage<Receipt>> sends = new ArrayList<>();
    for (int i = 0; i < 3000; i++) {
      sends.add(
          sender.sendAsync(
              ArraySlice.of(new int[] {i}),
              i % 2 == 0 ? SendOptions.processed() : SendOptions.handedOff()));
    }
    sends.add(sender.sendAsync(ArraySlice.of(new int[1_000_000]), SendOptions.handedOff()));
    sender.close();
    for (CompletionStage<Receipt> sent : sends) {
      assertThat(sent.toCompletableFuture().isDone() || Patience.get(sent) != null).isTrue();
    }
    collector.awaitOrderlyEnd();
    assertThat(collector.size()).isEqualTo(3001);
    for (int i = 0; i < 3000; i++) {
      assertThat(collector.all().get(i).ints()[0]).isEqualTo(i);
    }
    assertThat(sender.isOpen()).isFalse();
  }

  /**
   * What came before the peer's close can still be taken after it.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void whatWasSentBeforeACloseCanBeTakenAfterIt() throws Exception {
    Ends ends = ends();
    for (int i = 0; i < 100; i++) {
      ends.one.send(new int[] {i});
    }
    ends.one.close();
    for (int i = 0; i < 100; i++) {
      assertThat(ends.other.receive().ints()).containsExactly(i);
    }
    assertThatThrownBy(ends.other::receive)
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("by the peer");
    assertThat(ends.other.isOpen()).isFalse();
    ends.other.close();
  }

  /**
   * Closing while the peer sends: exactly what the peer was told was processed was delivered.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingWhileThePeerSends() throws Exception {
    Collector collector = new Collector();
    Listener listener = make().listen(freeAddress());
    Connection closing = make().connect(listener.address(), collector);
    Connection sending = listener.accept();
    Running<Integer> sender =
        Patience.start(() -> {
          for (int i = 0; ; i++) {
            try {
              sending.send(ArraySlice.of(new int[5000]), SendOptions.processed());
            } catch (ConnectionClosedException e) {
              return i;
            }
          }
        });
    for (int i = 0; i < 20; i++) {
      assertThat(collector.next().count()).isEqualTo(5000);
    }
    closing.close();
    collector.awaitOrderlyEnd();
    assertThat(sender.get()).isEqualTo(collector.size());
  }

  /** Both ends of a connection with a handler each. */
  private record Duplex(Connection one, Collector atOne, Connection other, Collector atOther) {}

  private Duplex duplex() throws Exception {
    CompletableFuture<Connection> other = new CompletableFuture<>();
    Collector atOne = new Collector();
    Collector atOther =
        new Collector() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            super.onArray(connection, array);
            other.complete(connection);
          }
        };
    Listener listener = make().listen(freeAddress(), atOther);
    Connection one = make().connect(listener.address(), atOne);
    one.send(new int[] {-1});
    return new Duplex(one, atOne, Patience.get(other), atOther);
  }

  /**
   * Both ends close at once, and neither loses anything.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void bothCloseAtOnce() throws Exception {
    for (int round = 0; round < 10; round++) {
      Duplex ends = duplex();
      CyclicBarrier barrier = new CyclicBarrier(2);
      List<Running<?>> closers = new ArrayList<>();
      List<CompletionStage<Receipt>> sends = new ArrayList<>();
      int count = 200;
      for (Connection end : List.of(ends.one, ends.other)) {
        closers.add(
            Patience.run(() -> {
              List<CompletionStage<Receipt>> own = new ArrayList<>();
              for (int i = 0; i < count; i++) {
                own.add(
                    end.sendAsync(
                        ArraySlice.of(new int[] {i}),
                        i % 2 == 0 ? SendOptions.processed() : SendOptions.handedOff()));
              }
              synchronized (sends) {
                sends.addAll(own);
              }
              barrier.await(60, TimeUnit.SECONDS);
              end.close();
            }));
      }
      for (Running<?> closer : closers) {
        closer.get();
      }
      for (CompletionStage<Receipt> sent : sends) {
        Patience.get(sent);
      }
      ends.atOne.awaitOrderlyEnd();
      ends.atOther.awaitOrderlyEnd();
      assertThat(ends.atOne.size()).isEqualTo(count);
      assertThat(ends.atOther.size()).isEqualTo(count + 1);
    }
  }

  /**
   * Many threads close the same connection.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingFromManyThreads() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector);
    sender.send(new int[1000]);
    List<Running<?>> closers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      closers.add(Patience.run(sender::close));
    }
    for (Running<?> closer : closers) {
      closer.get();
    }
    sender.close();
    sender.closeNow();
    sender.close();
    collector.awaitOrderlyEnd();
    assertThat(collector.size()).isEqualTo(1);
  }

  /**
   * A handler closes the connection that it is called for.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingInAHandler() throws Exception {
    Connection sender = connectTo((connection, array) -> connection.close());
    sender.send(ArraySlice.of(new int[1]), SendOptions.processed());
    assertThatThrownBy(sender::receive).isInstanceOf(ConnectionClosedException.class);
    sender.close();
    Connection other = connectTo((connection, array) -> connection.closeNow());
    assertThatThrownBy(() -> other.send(ArraySlice.of(new int[1]), SendOptions.processed()))
        .isInstanceOfAny(ConnectionClosedException.class, ConnectionResetException.class);
  }

  /**
   * Closing with arrays that nobody took does not lose what this side had sent.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingWithUnreadArrays() throws Exception {
    Ends ends = ends();
    List<CompletionStage<Receipt>> unread = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      unread.add(ends.other.sendAsync(ArraySlice.of(new float[10_000]), SendOptions.processed()));
    }
    Patience.eventually(ends.one::describe, () -> ends.one.describe().contains("reading stopped"));
    int count = 2000;
    Running<?> receiver =
        Patience.run(() -> {
          for (int i = 0; i < count; i++) {
            assertThat(ends.other.receive().ints()[0]).isEqualTo(i);
          }
        });
    for (int i = 0; i < count; i++) {
      int[] array = new int[100];
      array[0] = i;
      ends.one.sendAsync(ArraySlice.of(array), SendOptions.handedOff());
    }
    ends.one.close();
    receiver.get();
    for (CompletionStage<Receipt> each : unread) {
      assertThat(Patience.failure(each)).isInstanceOf(ConnectionClosedException.class);
    }
  }

  /**
   * A peer that does not read is not waited for for ever.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingInVain() throws Exception {
    Ends ends = ends(options -> options.closeTimeout(Duration.ofMillis(300)), options -> options);
    CompletionStage<Receipt> sent = ends.one.sendAsync(ArraySlice.of(new byte[MORE_THAN_BUFFERS]));
    assertThatThrownBy(ends.one::close)
        .isInstanceOf(CloseTimeoutException.class)
        .hasMessageContaining("closeTimeout=PT0.3S");
    assertThat(Patience.failure(sent)).isInstanceOf(CloseTimeoutException.class);
  }

  /**
   * Closing a listener leaves what was accepted alone, and drains what belongs to its handler.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingAListener() throws Exception {
    Listener listener = make().listen(freeAddress());
    Connection one = make().connect(listener.address());
    Connection other = listener.accept();
    Connection unaccepted = make().connect(listener.address());
    Running<Connection> accepting =
        Patience.start(() -> {
          Connection first = listener.accept();
          first.closeNow();
          return listener.accept();
        });
    assertThatThrownBy(unaccepted::receive).isInstanceOf(ArraywireException.class);
    listener.close();
    listener.close();
    assertThat(accepting.failure()).isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(listener::accept).isInstanceOf(ConnectionClosedException.class);
    one.send(new int[] {1});
    assertThat(other.receive().ints()).containsExactly(1);

    Collector collector = new Collector();
    Listener handled = make().listen(freeAddress(), collector);
    Connection sender = make().connect(handled.address());
    for (int i = 0; i < 500; i++) {
      sender.send(new int[100]);
    }
    handled.close();
    collector.awaitOrderlyEnd();
    assertThat(collector.size()).isEqualTo(500);
  }

  /**
   * Closing a transport ends everything.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingATransport() throws Exception {
    Transport server = make();
    Transport client = make();
    Listener listener = server.listen(freeAddress());
    Connection one = client.connect(listener.address());
    Connection other = listener.accept();
    Running<ReceivedArray> receiving = waiting(one, one::receive);
    Running<ReceivedArray> peer = waiting(other, other::receive);
    Running<Connection> accepting = Patience.start(listener::accept);
    CompletionStage<Receipt> sent =
        one.sendAsync(ArraySlice.of(new byte[MORE_THAN_BUFFERS]), SendOptions.processed());
    client.close();
    client.close();
    assertThat(receiving.failure()).isInstanceOf(ConnectionClosedException.class);
    assertThat(Patience.failure(sent)).isInstanceOf(ConnectionClosedException.class);
    assertThat(peer.failure()).isInstanceOf(ArraywireException.class);
    server.close();
    assertThat(accepting.failure()).isInstanceOf(ConnectionClosedException.class);
    for (Transport transport : List.of(client, server)) {
      assertThatThrownBy(() -> transport.connect(listener.address()))
          .isInstanceOf(ConnectionClosedException.class);
      SocketAddress address = freeAddress();
      assertThatThrownBy(() -> transport.listen(address))
          .isInstanceOf(ConnectionClosedException.class);
    }
  }

  // The end that is not orderly.

  /**
   * An end at once fails all that waits, once each.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void closingNow() throws Exception {
    Ends ends = ends();
    List<Running<?>> waiting = new ArrayList<>();
    waiting.add(Patience.start(() -> ends.one.send(new byte[MORE_THAN_BUFFERS])));
    waiting.add(waiting(ends.one, ends.one::receive));
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("reading stopped"));
    List<CompletionStage<Receipt>> sends = new ArrayList<>();
    AtomicInteger completions = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      CompletionStage<Receipt> sent =
          ends.one.sendAsync(
              ArraySlice.of(new int[i]),
              i % 2 == 0 ? SendOptions.processed() : SendOptions.handedOff());
      sends.add(sent.whenComplete((receipt, failure) -> completions.incrementAndGet()));
    }
    ends.one.closeNow();
    for (Running<?> each : waiting) {
      assertThat(each.failure())
          .isInstanceOf(ConnectionClosedException.class)
          .hasMessageContaining("closed here");
    }
    for (CompletionStage<Receipt> each : sends) {
      Throwable failure = Patience.failure(each);
      assertThat(failure instanceof ArraywireException ? failure : failure.getCause())
          .isInstanceOf(ConnectionClosedException.class);
    }
    assertThat(completions).hasValue(100);
    assertThatThrownBy(ends.other::receive).isInstanceOf(ArraywireException.class);
    ends.one.closeNow();
    ends.one.close();
  }

  /**
   * A peer that is gone in the middle of an array.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void peersThatVanish() throws Exception {
    byte[] frame =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[1000])).bytes();
    for (boolean reset : new boolean[] {false, true}) {
      for (int length : new int[] {1, 64, 2000}) {
        Listener listener = make(options -> options.checksums(false)).listen(freeAddress());
        RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
        Connection connection = listener.accept();
        float[] target = new float[1000];
        Running<ReceivedArray> receiving =
            waiting(connection, () -> connection.receiveInto(ArraySlice.of(target)));
        CompletionStage<Receipt> sent =
            connection.sendAsync(ArraySlice.of(new int[1]), SendOptions.processed());
        peer.expect(FrameType.ARRAY);
        peer.send(Arrays.copyOf(frame, length));
        if (reset) {
          peer.reset();
        } else {
          peer.shutdownOutput();
        }
        Exception failure = receiving.failure();
        if (reset) {
          assertThat(failure)
              .isInstanceOfAny(TruncatedException.class, ConnectionResetException.class);
        } else {
          assertThat(failure)
              .isInstanceOf(TruncatedException.class)
              .hasMessageContaining("received=");
        }
        assertThat(Patience.failure(sent)).isInstanceOf(failure.getClass());
        assertThatThrownBy(connection::receive).isInstanceOf(failure.getClass());
        float[] after = target.clone();
        Arrays.fill(target, -1);
        assertThat(after).doesNotContain(-1);
        assertThat(connection.isOpen()).isFalse();
        connection.close();
      }
    }
  }

  /**
   * A peer that is gone between two arrays, without a goodbye.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void peersThatCrash() throws Exception {
    Collector collector = new Collector();
    Listener listener = make().listen(freeAddress(), collector);
    RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
    peer.close();
    assertThat(collector.awaitFailure()).isInstanceOf(ConnectionResetException.class);
  }

  /**
   * What is damaged on its way is told to both sides.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void damage() throws Exception {
    Collector collector = new Collector();
    Listener listener = make(options -> options.checksums(true)).listen(freeAddress(), collector);
    RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
    byte[] frame =
        RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[1000]))
            .checksummed()
            .bytes();
    frame[1000] ^= 4;
    peer.send(frame);
    assertThat(peer.expectError(ErrorCode.PAYLOAD_CHECKSUM)).contains("sequence=1");
    peer.expectEnd();
    assertThat(collector.awaitFailure().code()).isEqualTo(ErrorCode.PAYLOAD_CHECKSUM);
    assertThat(collector.size()).isZero();
  }

  // Interrupts.

  /**
   * An interrupted sender has its array back; the connection lives, and the next array is whole.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedSender() throws Exception {
    Ends ends = ends();
    byte[] large = new byte[MORE_THAN_BUFFERS];
    Running<Receipt> sending = Patience.start(() -> ends.one.send(large));
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("reading stopped"));
    sending.interrupt();
    assertThat(sending.failure()).isInstanceOf(InterruptedException.class);
    Arrays.fill(large, (byte) -1);
    CompletionStage<Receipt> next =
        ends.one.sendAsync(ArraySlice.of(ramp(1000)), SendOptions.processed());
    ReceivedArray received = ends.other.receive();
    assertThat(received.floats()).isEqualTo(ramp(1000));
    Patience.get(next);
    assertThat(ends.one.isOpen()).isTrue();
  }

  /**
   * Interrupted before anything could be sent: the array is not sent at all.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedSenderInLine() throws Exception {
    Ends ends = ends();
    CompletionStage<Receipt> first =
        ends.one.sendAsync(ArraySlice.of(new byte[MORE_THAN_BUFFERS]), SendOptions.handedOff());
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("reading stopped"));
    Running<Receipt> second = Patience.start(() -> ends.one.send(new int[] {2}));
    Patience.eventually(ends.one::describe, () -> ends.one.describe().contains("queuedArrays=2"));
    second.interrupt();
    assertThat(second.failure()).isInstanceOf(InterruptedException.class);
    CompletionStage<Receipt> third = ends.one.sendAsync(ArraySlice.of(new int[] {3}));
    assertThat(ends.other.receive().count()).isEqualTo(MORE_THAN_BUFFERS);
    assertThat(ends.other.receive().ints()).containsExactly(3);
    Patience.get(first);
    Patience.get(third);
  }

  /**
   * Interrupted while the far side works: the array has been sent, and arrives.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedSenderThatWaitsForTheFarSide() throws Exception {
    Ends ends = ends();
    Running<Receipt> sending =
        Patience.start(() -> ends.one.send(ArraySlice.of(new int[] {1}), SendOptions.processed()));
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("waitingArrays=1"));
    sending.interrupt();
    assertThat(sending.failure()).isInstanceOf(InterruptedException.class);
    ends.one.send(new int[] {2});
    assertThat(ends.other.receive().ints()).containsExactly(1);
    assertThat(ends.other.receive().ints()).containsExactly(2);
  }

  /**
   * An interrupted receiver has its array back at once, and nothing is lost.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedReceiver() throws Exception {
    Listener listener = make(options -> options.checksums(false)).listen(freeAddress());
    RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
    Connection connection = listener.accept();
    float[] elements = ramp(10_000);
    byte[] frame = RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(elements)).bytes();
    float[] target = new float[10_000];
    Running<ReceivedArray> receiving =
        waiting(connection, () -> connection.receiveInto(ArraySlice.of(target)));
    peer.send(Arrays.copyOf(frame, 20_000));
    Patience.eventually(
        connection::describe, () -> connection.describe().contains("waitingReceivers=0"));
    receiving.interrupt();
    assertThat(receiving.failure()).isInstanceOf(InterruptedException.class);
    Arrays.fill(target, -1);
    peer.send(Arrays.copyOfRange(frame, 20_000, frame.length));
    assertThat(connection.receive().floats()).isEqualTo(elements);
    assertThat(target).containsOnly(-1);
    peer.send(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 2, ArraySlice.of(new int[] {5})));
    assertThat(connection.receive().ints()).containsExactly(5);
  }

  /**
   * Receivers of every kind that are interrupted while nothing comes.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedReceiversInLine() throws Exception {
    Ends ends = ends();
    List<Patience.Call<?>> calls =
        List.of(
            ends.other::receive,
            ends.other::receiveLeased,
            () -> ends.other.receiveInto(new int[10], 0, 10));
    for (Patience.Call<?> call : calls) {
      Running<?> receiving = waiting(ends.other, call);
      receiving.interrupt();
      assertThat(receiving.failure()).isInstanceOf(InterruptedException.class);
      Patience.eventually(
          ends.other::describe, () -> ends.other.describe().contains("waitingReceivers=0"));
      ends.one.send(new int[] {1});
      assertThat(ends.other.receive().ints()).containsExactly(1);
    }
  }

  /**
   * Interrupts of accept and connect.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedAcceptAndConnect() throws Exception {
    Listener listener = make().listen(freeAddress());
    Running<Connection> accepting = Patience.start(listener::accept);
    accepting.interrupt();
    assertThat(accepting.failure()).isInstanceOf(InterruptedException.class);
    Connection one = make().connect(listener.address());
    Connection other = listener.accept();
    one.send(new int[] {1});
    assertThat(other.receive().ints()).containsExactly(1);

    RawPeer.Door door = door();
    Transport client = make();
    Running<Connection> connecting = Patience.start(() -> client.connect(door.address()));
    RawPeer silent = door.accept();
    peers.add(silent);
    silent.readHandshake();
    connecting.interrupt();
    assertThat(connecting.failure()).isInstanceOf(InterruptedException.class);
    silent.expectEnd();
    assertThat(client.connect(listener.address()).isOpen()).isTrue();
  }

  /**
   * A thread that comes interrupted.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void interruptedBefore() throws Exception {
    Ends ends = ends();
    Running<?> caller =
        Patience.run(() -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(ends.one::receive).isInstanceOf(InterruptedException.class);
          assertThat(Thread.currentThread().isInterrupted()).isFalse();
        });
    caller.get();
    ends.other.send(new int[] {1});
    assertThat(ends.one.receive().ints()).containsExactly(1);
  }

  // Handlers.

  /**
   * What a handler throws reaches the sender, and the connection goes on.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void throwingHandlers() throws Exception {
    Collector collector =
        new Collector() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            if (array.ints()[0] % 2 == 0) {
              throw new IllegalStateException("even: " + array.ints()[0]);
            }
            super.onArray(connection, array);
          }
        };
    Connection sender = connectTo(collector);
    for (int i = 0; i < 20; i++) {
      int[] array = {i};
      if (i % 2 == 0) {
        assertThatThrownBy(() -> sender.send(ArraySlice.of(array), SendOptions.processed()))
            .isInstanceOf(RemoteRejectedException.class)
            .hasMessageContaining("java.lang.IllegalStateException: even: " + i);
        // Nobody waits for this one, so nobody is told.
        sender.send(array);
      } else {
        sender.send(ArraySlice.of(array), SendOptions.processed());
      }
    }
    assertThat(collector.size()).isEqualTo(10);
    sender.close();
    collector.awaitOrderlyEnd();
  }

  /**
   * A handler that hangs holds up its own sender only, and no I/O thread.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void hangingHandlers() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Collector collector =
        new Collector() {
          @Override
          public void onArray(Connection connection, ReceivedArray array) throws Exception {
            if (array.ints()[0] == 0) {
              hangs.countDown();
              goOn.await();
            }
            super.onArray(connection, array);
          }
        };
    Listener listener = make(options -> options.checksums(false)).listen(freeAddress(), collector);
    List<RawPeer> hanging = new ArrayList<>();
    try {
      for (int i = 0; i < 8; i++) {
        RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
        peer.send(RawFrame.array(Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new int[1])));
        hanging.add(peer);
      }
      assertThat(hangs.await(60, TimeUnit.SECONDS)).isTrue();
      // Their connections are still read and written,
      for (RawPeer peer : hanging) {
        peer.send(RawFrame.control(FrameType.PING, 0).with(header -> header.tag = 77));
        assertThat(peer.expect(FrameType.PONG).header().tag).isEqualTo(77);
      }
      // and others are served.
      Connection other = make().connect(listener.address());
      for (int i = 1; i < 100; i++) {
        other.send(ArraySlice.of(new int[] {i}), SendOptions.processed());
      }
      other.closeNow();
    } finally {
      goOn.countDown();
    }
    for (RawPeer peer : hanging) {
      assertThat(peer.expect(FrameType.ACK).header().sequence).isEqualTo(1);
    }
  }

  /**
   * Stages that depend on a send do not hold up I/O either.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void hangingStages() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Ends ends = ends();
    CompletableFuture<Void> hangs = new CompletableFuture<>();
    CompletionStage<Void> hanging =
        ends.one
            .sendAsync(ArraySlice.of(new int[1]), SendOptions.processed())
            .thenAccept(receipt -> {
              hangs.complete(null);
              try {
                goOn.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      assertThat(ends.other.receive().count()).isEqualTo(1);
      Patience.get(hangs);
      for (int i = 0; i < 100; i++) {
        ends.one.send(new int[i]);
        assertThat(ends.other.receive().count()).isEqualTo(i);
      }
    } finally {
      goOn.countDown();
    }
    Patience.get(hanging);
  }

  // Targets.

  /**
   * A target that does not fit fails its own receive and loses nothing.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void targetsThatDoNotFit() throws Exception {
    Ends ends = ends();
    for (int count : new int[] {5, 500_000}) {
      CompletionStage<Receipt> sent =
          ends.one.sendAsync(ArraySlice.of(ramp(count)), SendOptions.processed());
      assertThatThrownBy(() -> ends.other.receiveInto(new float[count - 1], 0, count - 1))
          .isInstanceOf(TargetMismatchException.class)
          .hasMessageContaining("count=" + count)
          .hasMessageContaining("room=" + (count - 1));
      assertThatThrownBy(() -> ends.other.receiveInto(new int[count], 0, count))
          .isInstanceOf(TargetMismatchException.class)
          .hasMessageContaining("arrayType=float")
          .hasMessageContaining("targetType=int");
      float[] target = new float[count];
      assertThat(ends.other.receiveInto(target, 0, count).count()).isEqualTo(count);
      assertThat(target).isEqualTo(ramp(count));
      Patience.get(sent);
    }
  }

  // Memory.

  /** Behaves until it is to decode something of a certain size. */
  private record StarvingCodec(Codec codec) implements Codec {
    static final int COUNT = 4242;

    @Override
    public String name() {
      return "starving";
    }

    @Override
    public Encoding encoding() {
      return codec.encoding();
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      codec.encode(type, array, index, count, target);
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
        throws io.arraywire.MalformedPayloadException {
      if (Array.getLength(array) == COUNT) {
        throw new OutOfMemoryError("for the test");
      }
      codec.decode(type, source, array, index, count);
    }
  }

  /**
   * Want of memory for an array fails its connection, with a typed error on both sides, alone.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void noMemoryForAnArray() throws Exception {
    Collector collector = new Collector();
    Codec codec = new StarvingCodec(new PlainCodec(Encoding.RAW_LITTLE_ENDIAN));
    Listener listener =
        make(options -> options.codecs(codec).checksums(false)).listen(freeAddress(), collector);
    Transport client = make();
    Connection bystander = client.connect(listener.address());
    RawPeer peer = rawPeer(listener).hello(RawPeer.offer());
    peer.send(
        RawFrame.array(
            Encoding.RAW_LITTLE_ENDIAN, 1, ArraySlice.of(new float[StarvingCodec.COUNT])));
    assertThat(peer.expectError(ErrorCode.ALLOCATION_FAILED))
        .contains("type=float")
        .contains("count=4242");
    assertThat(collector.awaitFailure())
        .isInstanceOf(AllocationFailedException.class)
        .hasCauseInstanceOf(OutOfMemoryError.class);
    bystander.send(ArraySlice.of(new int[1]), SendOptions.handedOff());
    Connection next = client.connect(listener.address());
    next.send(ArraySlice.of(new int[1]), SendOptions.handedOff());
    Patience.eventually(() -> "two arrays", () -> collector.size() == 2);
  }

  /**
   * Want of memory for a lease does the same, and what had been taken for it is given back.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void noMemoryForALease() throws Exception {
    Ends ends = ends();
    Running<LeasedArray> leasing = waiting(ends.other, ends.other::receiveLeased);
    long others = memory.acquiredBytes();
    // Room for what moves bytes, and not for what would keep them.
    memory.limit(others + (8 << 20));
    CompletionStage<Receipt> sent =
        ends.one.sendAsync(ArraySlice.of(new byte[32 << 20]), SendOptions.processed());
    assertThat(leasing.failure()).isInstanceOf(AllocationFailedException.class);
    assertThat(Patience.failure(sent)).isInstanceOf(ArraywireException.class);
    memory.limit(Long.MAX_VALUE);
    Ends next = ends();
    next.one.send(new int[] {1});
    assertThat(next.other.receive().ints()).containsExactly(1);
  }

  // Misuse.

  @SuppressWarnings("NullAway") // The misuse that is tested.
  private static float[] nothing() {
    return null;
  }

  /**
   * Misuse is refused before any byte is sent, with words that name what was wrong.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void misuse() throws Exception {
    Listener listener = make(options -> options.checksums(false)).listen(freeAddress());
    Offer everything = RawPeer.offer();
    RawPeer peer =
        rawPeer(listener)
            .hello(
                new Offer(
                    everything.encodings(),
                    Set.of(ElementType.FLOAT.code()),
                    everything.nativeOrder(),
                    everything.maxArrayBytes(),
                    everything.maxFrameBytes(),
                    false,
                    new byte[0],
                    "floats only"));
    Connection connection = listener.accept();
    assertThatThrownBy(() -> connection.send(nothing())).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> connection.send(new float[1], -1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> connection.send(new float[1], 0, 2))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("2");
    assertThatThrownBy(() -> connection.send(new float[1], Integer.MAX_VALUE, Integer.MAX_VALUE))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> connection.receiveInto(new float[1], 1, 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> connection.send(new int[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=int")
        .hasMessageContaining("agreed=[FLOAT]");
    assertThatThrownBy(() -> connection.sendAsync(ArraySlice.of(new int[1])))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=int");
    assertThatThrownBy(
            () -> connection.send(ArraySlice.of(ramp(5)), SendOptions.handedOff().shape(2, 3)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("shape=[2, 3]")
        .hasMessageContaining("length=5");
    connection.send(ramp(1));
    // Nothing came before it, and no number was used up.
    assertThat(peer.expect(FrameType.ARRAY).header().sequence).isEqualTo(1);

    Listener handled = make().listen(freeAddress(), new Collector());
    assertThatThrownBy(handled::accept)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("address=");
    Connection withHandler = make().connect(handled.address(), new Collector());
    assertThatThrownBy(withHandler::receive)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("handler=");
    assertThatThrownBy(withHandler::receiveLeased).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> withHandler.receiveInto(new int[1], 0, 1))
        .isInstanceOf(IllegalStateException.class);
  }

  /**
   * A lease that is used wrongly.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void misuseOfALease() throws Exception {
    Ends ends = ends();
    ends.one.send(ramp(10));
    LeasedArray lease = ends.other.receiveLeased();
    assertThatThrownBy(() -> lease.ints(0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("asked=int")
        .hasMessageContaining("type=float");
    for (int segment : new int[] {-1, lease.segments()}) {
      assertThatThrownBy(() -> lease.floats(segment))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessageContaining("segment=" + segment);
    }
    assertThatThrownBy(() -> lease.copyTo(ArraySlice.of(new float[9])))
        .isInstanceOf(TargetMismatchException.class);
    assertThat(lease.floats(0).isReadOnly()).isTrue();
    lease.close();
    lease.close();
    assertThatThrownBy(() -> lease.floats(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lease::segments).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lease.copyTo(ArraySlice.of(new float[10])))
        .isInstanceOf(IllegalStateException.class);
  }

  /**
   * A lease outlives its connection.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void leasesOutliveTheirConnection() throws Exception {
    Ends ends = ends();
    Running<LeasedArray> leased = waiting(ends.other, ends.other::receiveLeased);
    ends.one.send(ramp(100_000));
    try (LeasedArray lease = leased.get()) {
      ends.one.closeNow();
      ends.other.closeNow();
      float[] copy = new float[100_000];
      lease.copyTo(ArraySlice.of(copy));
      assertThat(copy).isEqualTo(ramp(100_000));
    }
  }

  /**
   * Whatever is asked of a closed connection has a typed answer.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void useAfterClose() throws Exception {
    Ends ends = ends();
    ends.one.close();
    assertThat(ends.one.isOpen()).isFalse();
    assertThatThrownBy(() -> ends.one.send(new int[1]))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("closed here");
    assertThat(Patience.failure(ends.one.sendAsync(ArraySlice.of(new int[1]))))
        .isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(ends.one::receive).isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(ends.one::receiveLeased).isInstanceOf(ConnectionClosedException.class);
    assertThatThrownBy(() -> ends.one.receiveInto(new int[1], 0, 1))
        .isInstanceOf(ConnectionClosedException.class);
    assertThat(ends.one.agreement()).isNotNull();
    assertThat(ends.one.describe()).contains("closed here");
    assertThat(ends.one.localAddress()).isNotNull();
    assertThat(ends.one.remoteAddress()).isNotNull();
  }

  // What it says of itself.

  /**
   * A connection describes itself in one line.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void describes() throws Exception {
    Transport transport = make();
    assertThat(transport.name()).matches("[a-z][a-z0-9-]*");
    Listener listener = transport.listen(freeAddress());
    Connection one = make(options -> options.maxArrayBytes(123_456)).connect(listener.address());
    Connection other = listener.accept();
    one.send(new int[] {1, 2});
    ReceivedArray unused = other.receive();
    for (Connection connection : List.of(one, other)) {
      Agreement agreement = connection.agreement();
      assertThat(agreement).isSameAs(connection.agreement());
      assertThat(agreement.plain()).isFalse();
      assertThat(agreement.wireVersion()).isEqualTo(1);
      assertThat(agreement.elementTypes()).contains(ElementType.FLOAT, ElementType.INT);
      assertThat(agreement.maxSendBytes()).isEqualTo(123_456);
      assertThat(connection.describe())
          .startsWith(transport.name() + " ")
          .contains("sendEncoding=" + agreement.sendEncoding())
          .contains("sendStrategy=" + agreement.sendStrategy())
          .contains("maxSendBytes=123456")
          .contains("maxReceiveBytes=" + agreement.maxReceiveBytes())
          .contains("chunkBytes=" + agreement.chunkBytes())
          .contains(String.valueOf(connection.remoteAddress()))
          .doesNotContain("\n");
      assertThat(connection.toString()).contains("open");
    }
    assertThat(one.describe()).contains("arraysSent=1");
    assertThat(other.describe()).contains("arraysTaken=1");
    assertThat(other.localAddress()).isEqualTo(listener.address());
    assertThat(one.remoteAddress()).isEqualTo(listener.address());
  }

  // Plain mode.

  private static byte[] legacyBytes(float[]... arrays) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    for (float[] array : arrays) {
      out.writeInt(array.length);
      for (float element : array) {
        out.writeFloat(element);
      }
    }
    return bytes.toByteArray();
  }

  private static UnaryOperator<TransportOptions.Builder> plain(ElementType type) {
    return options -> options.plain(type);
  }

  /**
   * A legacy program writes arrays with DataOutputStream.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainFromALegacySender() throws Exception {
    Listener listener = make(plain(ElementType.FLOAT)).listen(freeAddress());
    RawPeer legacy = rawPeer(listener);
    Connection connection = listener.accept();
    assertThat(connection.agreement().plain()).isTrue();
    legacy.send(legacyBytes(ramp(3), ramp(0), ramp(100_000)));
    assertThat(connection.receive().floats()).isEqualTo(ramp(3));
    assertThat(connection.receive().floats()).isEmpty();
    float[] target = new float[100_001];
    assertThat(connection.receiveInto(target, 1, 100_000).receipt().wireBytes()).isEqualTo(400_004);
    assertThat(Arrays.copyOfRange(target, 1, 100_001)).isEqualTo(ramp(100_000));
    legacy.shutdownOutput();
    assertThatThrownBy(connection::receive).isInstanceOf(ConnectionClosedException.class);
    // The other direction is still open.
    connection.send(ramp(2));
    assertThat(legacy.read(12)).isEqualTo(legacyBytes(ramp(2)));
    connection.close();
    assertThat(legacy.expectEnd()).isZero();
  }

  /**
   * A legacy program reads arrays with DataInputStream.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainToALegacyReceiver() throws Exception {
    RawPeer.Door door = door();
    Connection connection = make(plain(ElementType.FLOAT)).connect(door.address());
    RawPeer legacy = door.accept();
    peers.add(legacy);
    float[][] arrays = {ramp(1), ramp(0), ramp(20_000), ramp(5)};
    Running<?> sending =
        Patience.run(() -> {
          for (float[] array : arrays) {
            assertThat(connection.send(array).wireBytes()).isEqualTo(4 + 4L * array.length);
          }
        });
    byte[] expected = legacyBytes(arrays);
    assertThat(legacy.read(expected.length)).isEqualTo(expected);
    sending.get();
    Running<?> closing = Patience.run(connection::close);
    assertThat(legacy.expectEnd()).isZero();
    legacy.close();
    closing.get();
  }

  /**
   * Two of this library in plain mode, every type.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainBothWays() throws Exception {
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        Ends ends = ends(plain(type));
        for (int count : new int[] {0, 1, 1000, 70_000}) {
          for (Connection[] way :
              new Connection[][] {{ends.one, ends.other}, {ends.other, ends.one}}) {
            Object array = arrays.array(type, count);
            CompletionStage<Receipt> sent = way[0].sendAsync(ArraySlice.ofArray(array));
            assertSame(array, way[1].receive().slice());
            Patience.get(sent);
          }
        }
        // Each waits for the other, since plain mode knows no goodbye.
        Running<?> closing = Patience.run(ends.one::close);
        ends.other.close();
        closing.get();
      }
    });
  }

  /**
   * A plain stream that is cut, and one that declares nonsense.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainFaults() throws Exception {
    Map<byte[], Class<? extends ArraywireException>> faults =
        Map.of(
            new byte[] {0, 0, 0}, TruncatedException.class,
            new byte[] {0, 0, 0, 2, 1, 2, 3, 4}, TruncatedException.class,
            new byte[] {-1, -1, -1, -1}, io.arraywire.BadLengthException.class,
            new byte[] {0x7f, -1, -1, -1}, FrameTooLargeException.class);
    for (Map.Entry<byte[], Class<? extends ArraywireException>> fault : faults.entrySet()) {
      Collector collector = new Collector();
      Listener listener = make(plain(ElementType.INT)).listen(freeAddress(), collector);
      RawPeer peer = rawPeer(listener);
      peer.send(fault.getKey());
      peer.shutdownOutput();
      assertThat(collector.awaitFailure()).isInstanceOf(fault.getValue());
      assertThat(peer.expectEnd()).isZero();
      assertThat(collector.size()).isZero();
    }
  }

  /**
   * What plain mode cannot do is refused, and an interrupted array ends the connection.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainLimits() throws Exception {
    Ends ends = ends(plain(ElementType.INT));
    for (SendOptions options :
        List.of(
            SendOptions.processed(),
            SendOptions.handedOff().tag(1),
            SendOptions.handedOff().shape(1),
            SendOptions.handedOff().metadata(new byte[1]))) {
      assertThatThrownBy(() -> ends.one.send(ArraySlice.of(new int[1]), options))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("plain mode");
    }
    assertThatThrownBy(() -> ends.one.send(new float[1]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("type=float");
    Running<Receipt> sending = Patience.start(() -> ends.one.send(new int[MORE_THAN_BUFFERS / 4]));
    Patience.eventually(
        ends.other::describe, () -> ends.other.describe().contains("reading stopped"));
    sending.interrupt();
    assertThat(sending.failure()).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> ends.one.send(new int[1]))
        .isInstanceOf(ConnectionClosedException.class)
        .hasMessageContaining("interrupted");
    assertThatThrownBy(ends.other::receive)
        .isInstanceOfAny(TruncatedException.class, ConnectionResetException.class);
  }

  /**
   * A plain connection closes at the end of what it sent, and loses nothing.
   *
   * @throws Exception if the test fails
   */
  @Test
  public final void plainCloseLosesNothing() throws Exception {
    Collector collector = new Collector();
    Connection sender = connectTo(collector, plain(ElementType.INT));
    for (int i = 0; i < 1000; i++) {
      sender.sendAsync(ArraySlice.of(new int[] {i}));
    }
    sender.close();
    collector.awaitOrderlyEnd();
    assertThat(collector.size()).isEqualTo(1000);
  }
}
