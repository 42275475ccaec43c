package io.arraywire.examples.interop;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.frame.FrameLayout;
import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import io.arraywire.testkit.SeededArrays;
import java.lang.reflect.Field;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every pair of strategies that share an encoding, from every transport to every transport:
 * whatever one side uses, the other understands it.
 */
class InteropMatrixIT {
  private static final long SEED = 20261121;
  private static final String[] TRANSPORTS = {"nio", "stream"};

  /** A system call for each element takes seconds where arrays are larger; nightly has them. */
  private static final int MOST_ELEMENTWISE = 20_000;

  private static final boolean THOROUGH = Boolean.getBoolean("arraywire.test.thorough");

  /** MAX_BLOCK_SIZE of the JDK's ObjectOutputStream, which is private to java.base. */
  private static final int OBJECT_STREAM_BLOCK_BYTES = 1 << 10;

  /** Those that compress, or lose bits, have an interop test of their own in their module. */
  private static List<Codec> strategies() {
    return Codecs.installed().stream().filter(each -> !each.encoding().isInBlocks()).toList();
  }

  static Stream<Arguments> pairs() {
    List<Arguments> pairs = new ArrayList<>();
    for (Codec sending : strategies()) {
      for (Codec receiving : strategies()) {
        if (sending.encoding().equals(receiving.encoding())) {
          for (String from : TRANSPORTS) {
            for (String to : TRANSPORTS) {
              pairs.add(Arguments.of(from, sending.name(), to, receiving.name()));
            }
          }
        }
      }
    }
    return pairs.stream();
  }

  @Test
  void theMatrixHasEveryStrategyOfTheLibrary() {
    assertThat(Codecs.installed().stream().map(Codec::name))
        .contains(
            "data-output",
            "data-output-buffered",
            "object-stream",
            "buffer-view",
            "buffer-view-le",
            "direct",
            "direct-be",
            "protobuf");
    // Four of raw-be, two of raw-le, and one each of java-object and protobuf, on both sides'
    // transports.
    assertThat(pairs().count()).isGreaterThanOrEqualTo((16 + 4 + 1 + 1) * 4);
  }

  /** With a prefix the edge of a buffer lies elsewhere among the elements. */
  @Test
  void theLengthsAreAroundEveryEdge() throws Exception {
    Codec view = Codecs.named("buffer-view");
    Codec object = Codecs.named("object-stream");
    for (int edge : edges()) {
      int elements = edge / Integer.BYTES;
      assertThat(lengths(ElementType.INT, view)).contains(elements - 1, elements, elements + 1);
      int prefix = Encoding.JAVA_OBJECT.prefixBytes(ElementType.INT, elements);
      assertThat(prefix).isPositive();
      int first = Math.max(1, (edge - prefix) / Integer.BYTES);
      assertThat(lengths(ElementType.INT, object)).contains(first - 1, first, first + 1);
    }
  }

  /**
   * Those of {@link #pairs} that a change must pass: each two of the four values of a pair occur
   * together in one of them, if they do in any. Strategies meet all others, and both transports at
   * either end.
   */
  static Stream<Arguments> pairsOfEachChange() {
    return fewest(pairs().toList(), InteropMatrixIT::twos).stream();
  }

  /** Pairs that together have all that any of them has. */
  private static List<Arguments> fewest(
      List<Arguments> all, Function<Arguments, Set<String>> parts) {
    List<Arguments> chosen = new ArrayList<>();
    Set<String> open = new HashSet<>();
    all.forEach(pair -> open.addAll(parts.apply(pair)));
    while (!open.isEmpty()) {
      Arguments best =
          Collections.max(
              all,
              Comparator.comparingLong(
                  pair -> parts.apply(pair).stream().filter(open::contains).count()));
      chosen.add(best);
      parts.apply(best).forEach(open::remove);
    }
    return chosen;
  }

  static Stream<Arguments> pairsOfTheNight() {
    Set<List<Object>> chosen =
        pairsOfEachChange().map(pair -> List.of(pair.get())).collect(Collectors.toSet());
    return pairs().filter(pair -> !chosen.contains(List.of(pair.get())));
  }

  /** Each two values of a pair, with the places that they have in it. */
  private static Set<String> twos(Arguments pair) {
    Object[] values = pair.get();
    Set<String> twos = new HashSet<>();
    for (int i = 0; i < values.length; i++) {
      for (int j = i + 1; j < values.length; j++) {
        twos.add(i + " " + values[i] + ", " + j + " " + values[j]);
      }
    }
    return twos;
  }

  @Test
  void aChangePassesEachTwoValuesAndTheNightTheRest() {
    Set<String> wanted = new HashSet<>();
    pairs().forEach(pair -> wanted.addAll(twos(pair)));
    Set<String> passed = new HashSet<>();
    pairsOfEachChange().forEach(pair -> passed.addAll(twos(pair)));
    assertThat(passed).isEqualTo(wanted);
    assertThat(
            Stream.concat(pairsOfEachChange(), pairsOfTheNight()).map(pair -> List.of(pair.get())))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(pairs().map(pair -> List.of(pair.get())).toList());
    assertThat(pairsOfEachChange().count()).isLessThan(pairs().count() / 3);
  }

  @Tag("newest")
  @ParameterizedTest(name = "{0} {1} -> {2} {3}")
  @MethodSource("pairsOfEachChange")
  void understandsEachOther(String from, String sending, String to, String receiving)
      throws Exception {
    exchange(from, sending, to, receiving);
  }

  /** The same where both strategies and both transports have met others for the change already. */
  @Tag("variant")
  @ParameterizedTest(name = "{0} {1} -> {2} {3}")
  @MethodSource("pairsOfTheNight")
  void understandsEachOtherInEveryOtherWay(String from, String sending, String to, String receiving)
      throws Exception {
    exchange(from, sending, to, receiving);
  }

  private static void exchange(String from, String sending, String to, String receiving)
      throws Exception {
    try (Transport sender = Transports.create(from, options(sending, 1 << 30));
        Transport receiver = Transports.create(to, options(receiving, 1 << 30));
        Listener listener =
            receiver.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection out = sender.connect(listener.address());
        Connection in = listener.accept()) {
      assertThat(out.agreement().sendCodec()).isEqualTo(sending);
      assertThat(in.agreement().sendCodec()).isEqualTo(receiving);
      int most =
          Codecs.named(sending).traits().elementwise() ? MOST_ELEMENTWISE : Integer.MAX_VALUE;
      for (ElementType type : List.of(ElementType.FLOAT, ElementType.INT)) {
        int number = 0;
        for (int length : lengths(type, Codecs.named(sending))) {
          // Elements of the same size have the same edges, so the two types share them for each
          // change; nightly each goes everywhere.
          boolean shared = (type == ElementType.FLOAT) == (number % 2 == 0);
          if (THOROUGH || shared && length <= most) {
            transfer(out, in, type, length);
          }
          number++;
        }
      }
    }
  }

  /** Element counts around every edge, with and without what the encoding puts before them. */
  private static TreeSet<Integer> lengths(ElementType type, Codec sending)
      throws ReflectiveOperationException {
    TreeSet<Integer> lengths = new TreeSet<>(List.of(0, 1, 2));
    for (int edge : edges()) {
      for (int elements : around(edge, type, sending.encoding())) {
        lengths.addAll(List.of(elements - 1, elements, elements + 1));
      }
    }
    return lengths;
  }

  private static Set<Integer> around(int edge, ElementType type, Encoding encoding) {
    int elements = edge / type.bytes();
    int prefix = encoding.prefixBytes(type, elements);
    return new TreeSet<>(List.of(elements, Math.max(1, (edge - prefix) / type.bytes())));
  }

  /**
   * Bytes at which something inside begins anew, taken from where they are decided: chunks, what
   * may wait at the receiver, batches, windows of both transports, and the blocks of
   * ObjectOutputStream.
   */
  private static Set<Integer> edges() throws ReflectiveOperationException {
    TransportOptions defaults = TransportOptions.defaults();
    return new TreeSet<>(
        List.of(
            FrameLayout.HEADER_BYTES,
            defaults.chunkBytes(),
            defaults.inboxBytes(),
            constant("engine.OutputBatch", "SMALL_BATCH_BYTES"),
            constant("engine.OutputBatch", "BATCH_BYTES"),
            constant("stream.Reading", "SMALL_BYTES"),
            constant("stream.Reading", "WINDOW_BYTES"),
            constant("stream.Writing", "MOST_BYTES"),
            constant("stream.ObjectStreamCodec", "WINDOW_BYTES"),
            constant("nio.EventLoop", "WINDOW_BYTES"),
            OBJECT_STREAM_BLOCK_BYTES));
  }

  /**
   * A constant that no user needs and that is therefore not public; tests run on the class path.
   */
  private static int constant(String owner, String name) throws ReflectiveOperationException {
    Field field = Class.forName("io.arraywire." + owner).getDeclaredField(name);
    field.setAccessible(true);
    return field.getInt(null);
  }

  /**
   * Sends a slice out of the middle of an array into the middle of another, and looks around it.
   */
  private static void transfer(Connection out, Connection in, ElementType type, int length)
      throws Exception {
    SeededArrays seeded = SeededArrays.withSeed(SEED + length);
    Object sent = seeded.array(type, length + 3);
    Object around = seeded.array(type, length + 8);
    Object target = copy(type, around, length + 8);
    CompletableFuture<Receipt> receipt =
        out.sendAsync(
                ArraySlice.ofArray(sent, 2, length).as(type),
                SendOptions.processed().tag(length).shape(length))
            .toCompletableFuture();
    ReceivedArray received = in.receiveInto(ArraySlice.ofArray(target, 5, length).as(type));
    assertThat(received.type()).isEqualTo(type);
    assertThat(received.count()).isEqualTo(length);
    assertThat(received.tag()).isEqualTo(length);
    Object expected = copy(type, around, length + 8);
    System.arraycopy(sent, 2, expected, 5, length);
    assertThat(same(target, expected)).as("%s[%d], seed %d", type, length, SEED + length).isTrue();
    assertThat(receipt.get(60, SECONDS).elements()).isEqualTo(length);
  }

  private static Object copy(ElementType type, Object array, int length) {
    Object copy = type.newArray(length);
    System.arraycopy(array, 0, copy, 0, length);
    return copy;
  }

  /** Bit by bit: a NaN is equal to itself only if its payload is. */
  private static boolean same(Object left, Object right) {
    if (left instanceof float[] floats) {
      float[] others = (float[]) right;
      for (int i = 0; i < floats.length; i++) {
        if (Float.floatToRawIntBits(floats[i]) != Float.floatToRawIntBits(others[i])) {
          return false;
        }
      }
      return true;
    }
    return Arrays.equals((int[]) left, (int[]) right);
  }

  /**
   * Without the element loops. For each change every strategy sends once and receives once, and
   * every transport sends to every transport; nightly each end meets all others.
   */
  static Stream<Arguments> fastPairs() {
    List<Arguments> fast =
        pairs()
            .filter(pair ->
                Stream.of(pair.get()).noneMatch(name -> ((String) name).startsWith("data-output")))
            .toList();
    return (THOROUGH ? fast : fewest(fast, InteropMatrixIT::ends)).stream();
  }

  private static Set<String> ends(Arguments pair) {
    Object[] names = pair.get();
    return Set.of(names[1] + " sends", names[3] + " receives", names[0] + " to " + names[2]);
  }

  /** More bytes than an int can count, through every strategy but the element loops. */
  @Tag("slow")
  @ParameterizedTest(name = "{0} {1} -> {2} {3}")
  @MethodSource("fastPairs")
  void carriesMoreThanTwoGibibytes(String from, String sending, String to, String receiving)
      throws Exception {
    int length = (1 << 29) + 5;
    int[] sent = Huge.sent(length);
    int[] target = Huge.target(length);
    target[0] = -1;
    target[length - 1] = -1;
    try (Transport sender = Transports.create(from, options(sending, 4L << 30));
        Transport receiver = Transports.create(to, options(receiving, 4L << 30));
        Listener listener =
            receiver.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Connection out = sender.connect(listener.address());
        Connection in = listener.accept()) {
      CompletableFuture<Receipt> receipt =
          out.sendAsync(ArraySlice.of(sent), SendOptions.processed()).toCompletableFuture();
      in.receiveInto(ArraySlice.of(target, 0, length));
      assertThat(receipt.get(60, SECONDS).wireBytes()).isGreaterThan(4L * length);
      assertThat(Arrays.equals(sent, target)).isTrue();
    }
    target[length / 2] = -1;
  }

  /** Two arrays for all tests of more than 2 GiB, since making them takes longer than sending. */
  private static final class Huge {
    private static int[] sent = new int[0];
    private static int[] target = new int[0];

    static int[] sent(int length) {
      if (sent.length != length) {
        sent = new int[length];
        for (int i = 0; i < length; i++) {
          sent[i] = i * 31;
        }
      }
      return sent;
    }

    static int[] target(int length) {
      if (target.length != length) {
        target = new int[length];
      }
      return target;
    }
  }

  private static TransportOptions options(String codec, long maxArrayBytes) {
    return TransportOptions.builder()
        .codecs(Codecs.named(codec))
        .maxArrayBytes(maxArrayBytes)
        .build();
  }
}
