package io.arraywire.compression;

import static io.arraywire.codec.CompressionReason.GAINS_TOO_LITTLE;
import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportCounters;
import io.arraywire.TransportOptions;
import io.arraywire.chaos.proxy.Direction;
import io.arraywire.chaos.proxy.Fault;
import io.arraywire.chaos.proxy.FaultProxy;
import io.arraywire.codec.AdaptiveCompression;
import io.arraywire.codec.CompressionReason;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.message.Part;
import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What connections compress by themselves, over a link with a rate. Tests in which nothing is to
 * shrink wait for their links for 10 s, all at the same time.
 */
@Tag("newest")
class AdaptiveTest {
  private static final int COUNT = 2 << 20;
  private static final long BYTES = 4L * COUNT;
  private static final long BYTES_PER_SECOND = 20_000_000;

  /** Some 10 s of a link of that rate, and time for the compiler. */
  private static final int MOST_SENDS = 25;

  private static final Pattern CHOSEN =
      Pattern.compile(
          "compression shuffle-(zstd|lz4): the link takes [0-9.]+ MB/s; with shuffle-(zstd|lz4),"
              + " ratio [0-9.]+, elements arrive at [0-9.]+ MB/s, compressedBlocks=[1-9]");

  private static final float[] WALK =
      (float[]) Samples.array(ElementType.FLOAT, COUNT, Samples.Kind.WALK);
  private static final float[] NOISE =
      (float[]) Samples.array(ElementType.FLOAT, COUNT, Samples.Kind.NOISE);

  private final AtomicReference<String> wrong = new AtomicReference<>();
  private Transport listening;
  private Transport connecting;
  private Listener listener;
  private FaultProxy link;
  private Connection connection;
  private Receipt last;

  /** The ways to move bytes, whose links are measured each in its own way. */
  enum Sockets {
    NIO(NioTransport::create),
    STREAM(StreamTransport::create);

    private final Function<TransportOptions, Transport> create;

    Sockets(Function<TransportOptions, Transport> create) {
      this.create = create;
    }
  }

  private void connect(TransportOptions.Builder options) throws Exception {
    connect(Sockets.NIO, options);
  }

  private void connect(Sockets sockets, TransportOptions.Builder options) throws Exception {
    listening = NioTransport.create(TransportOptions.defaults());
    listener =
        listening.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Handlers.ofArrays((from, array) -> {
              if (array.count() == 1) {
                return;
              }
              if (array.header().attributes().parts() != null) {
                check(array.message());
                return;
              }
              float[] expected = array.header().attributes().tag() == 0 ? WALK : NOISE;
              if (!Arrays.equals(bits(expected), bits(array.floats()))) {
                wrong.set("array " + array.header().sequence() + " has other elements");
              }
            }));
    link =
        FaultProxy.to(listener.address())
            .faults(Fault.throttle(Direction.TO_TARGET, 0, BYTES_PER_SECOND))
            .start();
    connecting = sockets.create.apply(options.sendBufferBytes(256 << 10).build());
    connection = connecting.connect(link.address());
  }

  private void check(Message message) {
    for (Part part : message.parts()) {
      float[] expected = part.name().equals("noise") ? NOISE : WALK;
      float[] first = Arrays.copyOf(expected, part.count());
      if (!Arrays.equals(bits(first), bits(message.floats(part.name())))) {
        wrong.set("part " + part.name() + " has other elements");
      }
    }
  }

  private static int[] bits(float[] floats) {
    int[] bits = new int[floats.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = Float.floatToRawIntBits(floats[i]);
    }
    return bits;
  }

  @AfterEach
  void close() throws Exception {
    connection.close();
    connecting.close();
    listener.close();
    listening.close();
    link.close();
    assertThat(wrong.get()).isNull();
  }

  private static TransportOptions.Builder adaptive(AdaptiveCompression where) {
    return TransportOptions.builder().adaptiveCompression(where);
  }

  private long wireBytes(float[] floats, SendOptions options) throws Exception {
    last = connection.send(ArraySlice.of(floats), floats == NOISE ? options.tag(1) : options);
    return last.wireBytes();
  }

  /** Returns whether one of several arrays went in less than so many bytes. */
  private boolean shrinksBelow(long bytes) throws Exception {
    for (int i = 0; i < MOST_SENDS; i++) {
      if (wireBytes(WALK, SendOptions.handedOff()) < bytes) {
        return true;
      }
    }
    return false;
  }

  @ParameterizedTest
  @EnumSource
  void overASlowLinkWhatShrinksIsCompressedAndNoiseIsNot(Sockets sockets) throws Exception {
    TransportCounters counters = TransportCounters.create();
    connect(sockets, adaptive(AdaptiveCompression.WANTED).observer(counters));
    assertThat(connection.describe()).contains("compression none: the link is not measured yet");
    connection.send(new float[] {1}, SendOptions.processed().tag(2));
    // The next block may be raw again where the machine is busy, and then describe() says that.
    boolean told = false;
    for (int i = 0; i < MOST_SENDS && !told; i++) {
      assertThat(shrinksBelow(BYTES * 6 / 10)).as(connection.describe()).isTrue();
      assertThat(last.encoding()).startsWith("shuffle-");
      assertThat(last.compression()).isEqualTo(CompressionReason.PAYS);
      assertThat(last.toString()).endsWith(", compression=PAYS");
      told = CHOSEN.matcher(connection.describe()).find();
    }
    assertThat(told).as(connection.describe()).isTrue();
    // What is compressed was decided by the blocks before. Noise makes it change its mind, of one
    // codec after the other: so two arrays in a row show that none is left.
    long noise = 0;
    int raw = 0;
    for (int i = 0; i < MOST_SENDS && raw < 2; i++) {
      noise = wireBytes(NOISE, SendOptions.processed());
      raw = last.compression() == GAINS_TOO_LITTLE ? raw + 1 : 0;
    }
    assertThat(noise).isBetween(BYTES, BYTES + BYTES / 500);
    assertThat(connection.describe()).contains("compression none: the link takes");
    assertThat(last.compression()).isEqualTo(GAINS_TOO_LITTLE);
    assertThat(counters.wireBytesSent()).isLessThan(counters.snapshot().bytesSent());
    assertThat(counters.arraysSent(CompressionReason.ARRAY_SMALL)).isOne();
    assertThat(counters.arraysSent(CompressionReason.PAYS)).isPositive();
  }

  /** Each part has figures of its own, so noise beside it does not keep a part from shrinking. */
  @ParameterizedTest
  @EnumSource
  void ofAMessageThosePartsAreCompressedThatShrink(Sockets sockets) throws Exception {
    connect(sockets, adaptive(AdaptiveCompression.WANTED));
    // An odd number of elements ends in the middle of eight bytes.
    float[] walk = Arrays.copyOf(WALK, COUNT - 1);
    Message message =
        Message.of("walk", ArraySlice.of(walk))
            .with("noise", ArraySlice.of(NOISE))
            .with("few", ArraySlice.of(WALK, 0, 3));
    long wire = 2 * BYTES;
    for (int i = 0; i < MOST_SENDS && wire > BYTES * 16 / 10; i++) {
      wire = sent(message, SendOptions.handedOff());
    }
    assertThat(wire).as(connection.describe()).isBetween(BYTES, BYTES * 16 / 10);
    assertThat(last.compression()).isEqualTo(CompressionReason.PAYS);
    // What is named goes as it says.
    long named = sent(message.codec("walk", "raw-le"), SendOptions.processed());
    assertThat(named).isGreaterThan(2 * BYTES - 4);
  }

  private long sent(Message message, SendOptions options) throws Exception {
    last = connection.send(message, options);
    return last.wireBytes();
  }

  @Test
  void aSendThatNamesACodecGoesAsItSays() throws Exception {
    connect(adaptive(AdaptiveCompression.WANTED));
    assertThat(shrinksBelow(BYTES * 9 / 10)).as(connection.describe()).isTrue();
    SendOptions direct = SendOptions.processed().codec(connection.agreement().sendCodec());
    assertThat(wireBytes(WALK, direct)).isGreaterThan(BYTES);
    assertThat(last.compression()).isEqualTo(CompressionReason.NAMED);
    assertThat(wireBytes(WALK, direct.codec("shuffle-zstd"))).isLessThan(BYTES * 6 / 10);
    // Not even noise is left alone.
    assertThat(wireBytes(NOISE, direct.codec("bf16"))).isBetween(BYTES / 2, BYTES / 2 + 20_000);
    // An eavesdropper perhaps sees it as NaNs.
    wrong.set(null);
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void onOneHostNothingIsCompressedUnlessThatIsWanted() throws Exception {
    connect(TransportOptions.builder());
    assertThat(shrinksBelow(BYTES)).isFalse();
    assertThat(last.compression()).as("nothing was to be chosen").isNull();
    assertThat(connection.describe()).doesNotContain("compression");
  }

  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void itCanBeTurnedOff() throws Exception {
    connect(adaptive(AdaptiveCompression.UNWANTED));
    assertThat(shrinksBelow(BYTES)).isFalse();
    assertThat(last.compression()).as("nothing was to be chosen").isNull();
    assertThat(connection.describe()).doesNotContain("compression");
  }

  /** A program that lists codecs without a compression has chosen. */
  @Test
  @Execution(ExecutionMode.CONCURRENT)
  void codecsThatAreListedAreFixed() throws Exception {
    connect(
        adaptive(AdaptiveCompression.WANTED)
            .codecs(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN), Compression.bf16()));
    assertThat(shrinksBelow(BYTES)).isFalse();
    assertThat(last.compression()).as("nothing was to be chosen").isNull();
    assertThat(connection.describe()).doesNotContain("compression");
  }
}
