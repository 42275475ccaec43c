package io.arraywire.compression;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.Subscription;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryOptions;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.spi.Codec;
import io.arraywire.stream.StreamTransport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Arrays in blocks from any transport to any, in both directions, with and without checksums. */
@Tag("newest")
class InteropTest {
  enum Kind {
    NIO,
    STREAM,
    MEMORY;

    Transport create(TransportOptions options) {
      return switch (this) {
        case NIO -> NioTransport.create(options);
        case STREAM -> StreamTransport.create(options);
        case MEMORY -> InMemoryTransport.create(options, MemoryOptions.defaults().threads(2));
      };
    }

    SocketAddress address() {
      return this == MEMORY
          ? MemoryAddress.free()
          : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }
  }

  /** Which side connects. */
  record Pair(Kind client, Kind server, Checksums checksums) {}

  static Stream<Pair> pairs() {
    return Stream.of(
        new Pair(Kind.NIO, Kind.NIO, Checksums.UNWANTED),
        new Pair(Kind.NIO, Kind.STREAM, Checksums.WANTED),
        new Pair(Kind.STREAM, Kind.NIO, Checksums.UNWANTED),
        new Pair(Kind.STREAM, Kind.STREAM, Checksums.WANTED),
        new Pair(Kind.MEMORY, Kind.MEMORY, Checksums.UNWANTED));
  }

  private static TransportOptions.Builder options(Pair pair) {
    return TransportOptions.builder().checksums(pair.checksums());
  }

  private static List<Codec> little() {
    return Stream.concat(
            Stream.of(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN)), Compression.list().stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyTypeArrivesWithEveryCodecInBothDirections(Pair pair) throws Exception {
    BlockingQueue<ReceivedArray> taken = new LinkedBlockingQueue<>();
    Handlers server =
        Handlers.ofRequests(
                (connection, request, reply) -> {
                  String codec =
                      request.header().attributes().tag() == 1 ? "shuffle-zstd" : "shuffle-lz4";
                  reply.send(request.slice(), SendOptions.handedOff().codec(codec));
                })
            .withArrays((connection, array) -> taken.add(array));
    TransportOptions.Builder memory =
        pair.client() == Kind.MEMORY ? options(pair).codecs(little()) : options(pair);
    TransportOptions options = memory.build();
    try (Transport listening = pair.server().create(options);
        Transport connecting = pair.client().create(options);
        Listener listener = listening.listen(pair.server().address(), server);
        Connection connection = connecting.connect(listener.address())) {
      assertThat(connection.agreement().codecs())
          .contains("shuffle-zstd", "shuffle-lz4", "bf16", "fp16");
      for (ElementType type : ElementType.values()) {
        for (String codec : new String[] {"shuffle-zstd", "shuffle-lz4"}) {
          for (int count : new int[] {0, 1, 16_382, 100_000}) {
            for (Samples.Kind kind : Samples.Kind.values()) {
              ArraySlice slice = ArraySlice.ofArray(Samples.array(type, count, kind)).as(type);
              Receipt sent = connection.send(slice, SendOptions.processed().codec(codec));
              ReceivedArray array = next(taken);
              assertSame(type, slice, array);
              assertThat(array.receipt().wireBytes()).isEqualTo(sent.wireBytes());
              assertThat(sent.encoding()).isEqualTo(codec);
              assertThat(array.receipt().encoding()).isEqualTo(codec);
              if (count == 100_000 && kind == Samples.Kind.WALK) {
                assertThat(sent.wireBytes())
                    .as("%s of %s", codec, type)
                    .isLessThan(count * type.bytes() * 9L / 10);
                ReceivedArray reply =
                    connection
                        .request(
                            slice,
                            RequestOptions.defaults()
                                .codec(codec)
                                .tag(codec.endsWith("zstd") ? 1 : 2))
                        .get(60, TimeUnit.SECONDS);
                assertSame(type, slice, reply);
                assertThat(reply.receipt().wireBytes()).isLessThan(count * type.bytes() * 9L / 10);
              }
            }
          }
        }
      }
    }
  }

  private static ReceivedArray next(BlockingQueue<ReceivedArray> taken)
      throws InterruptedException {
    return Objects.requireNonNull(taken.poll(60, TimeUnit.SECONDS), "no array came");
  }

  private static void assertSame(ElementType type, ArraySlice sent, ReceivedArray received) {
    assertThat(received.header().type()).isEqualTo(type);
    assertThat(received.header().count()).isEqualTo(sent.length());
    ArraySlice slice = received.slice();
    assertThat(Samples.bytes(type, slice.array(), slice.offset(), slice.length()))
        .isEqualTo(Samples.bytes(type, sent.array(), sent.offset(), sent.length()));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void whatIsLostIsAskedForAndSaid(Pair pair) throws Exception {
    BlockingQueue<ReceivedArray> taken = new LinkedBlockingQueue<>();
    TransportOptions options = options(pair).codecs(little()).build();
    float[] floats = (float[]) Samples.array(ElementType.FLOAT, 70_000, Samples.Kind.WALK);
    try (Transport listening = pair.server().create(options);
        Transport connecting = pair.client().create(options);
        Listener listener =
            listening.listen(
                pair.server().address(),
                Handlers.ofArrays((connection, array) -> taken.add(array)));
        Connection connection = connecting.connect(listener.address())) {
      assertThat(connection.describe())
          .contains("bf16 (relative error 2^-8", "fp16 (relative error 2^-11");
      for (String codec : new String[] {"bf16", "fp16"}) {
        Receipt sent = connection.send(ArraySlice.of(floats), SendOptions.processed().codec(codec));
        assertThat(sent.wireBytes()).isBetween(140_000L, 142_000L);
        float[] received = next(taken).floats();
        for (int i = 0; i < floats.length; i++) {
          int bits = Float.floatToRawIntBits(floats[i]);
          int expected =
              codec.equals("bf16")
                  ? Halves.fromBf16(Halves.toBf16(bits))
                  : Halves.fromFp16(Halves.toFp16(bits));
          assertThat(Float.floatToRawIntBits(received[i])).isEqualTo(expected);
        }
      }
      assertThatThrownBy(() -> connection.send(new int[3], SendOptions.processed().codec("bf16")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("type=int");
      // Never unasked.
      assertThat(connection.send(ArraySlice.of(floats), SendOptions.processed()).encoding())
          .isEqualTo("raw-le");
      assertThat(next(taken).floats()).isEqualTo(floats);
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void partsOfAMessageHaveEncodingsOfTheirOwn(Pair pair) throws Exception {
    BlockingQueue<ReceivedArray> taken = new LinkedBlockingQueue<>();
    TransportOptions options = options(pair).codecs(little()).build();
    long[] ids = (long[]) Samples.array(ElementType.LONG, 70_000, Samples.Kind.WALK);
    float[] scores = (float[]) Samples.array(ElementType.FLOAT, 70_001, Samples.Kind.WALK);
    byte[] raw = (byte[]) Samples.array(ElementType.BYTE, 30_001, Samples.Kind.WALK);
    Message message =
        Message.of("ids", ids)
            .with("raw", raw)
            .with("scores", scores)
            .with("weights", scores)
            .codec("ids", "shuffle-zstd")
            .codec("scores", "bf16")
            .codec("weights", "shuffle-lz4");
    try (Transport listening = pair.server().create(options);
        Transport connecting = pair.client().create(options);
        Listener listener =
            listening.listen(
                pair.server().address(),
                Handlers.ofArrays((connection, array) -> taken.add(array)));
        Connection connection = connecting.connect(listener.address())) {
      for (int i = 0; i < 3; i++) {
        Receipt sent = connection.send(message, SendOptions.processed());
        ReceivedArray received = next(taken);
        assertThat(received.receipt().wireBytes()).isEqualTo(sent.wireBytes());
        assertThat(sent.wireBytes()).isLessThan(8 * 70_000 + 2 * 4 * 70_000);
        Message came = received.message();
        assertThat(came.longs("ids")).isEqualTo(ids);
        assertThat(came.bytes("raw")).isEqualTo(raw);
        assertThat(came.floats("weights")).isEqualTo(scores);
        float[] shortened = came.floats("scores");
        for (int k = 0; k < scores.length; k++) {
          int bits = Halves.fromBf16(Halves.toBf16(Float.floatToRawIntBits(scores[k])));
          assertThat(Float.floatToRawIntBits(shortened[k])).isEqualTo(bits);
        }
      }
      assertThatThrownBy(() -> connection.send(message.codec("ids", "bf16")))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContainingAll("codec=bf16", "part=ids", "type=long");
    }
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void theFirstCodecIsForAllThatIsSentAndPublished(Pair pair) throws Exception {
    TransportOptions options =
        options(pair)
            .codecs(Compression.shuffleZstd(), StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN))
            .build();
    int[] ints = (int[]) Samples.array(ElementType.INT, 50_000, Samples.Kind.WALK);
    try (Transport listening = pair.server().create(options);
        Transport connecting = pair.client().create(options);
        Listener listener = listening.listen(pair.server().address());
        Connection connection = connecting.connect(listener.address());
        Subscription subscription = connection.subscribe("walks")) {
      assertThat(connection.agreement().sendCodec()).isEqualTo("shuffle-zstd");
      for (int i = 0; i < 3; i++) {
        assertThat(listener.publish("walks", ints).subscribers()).isOne();
        int[] target = new int[50_000];
        ReceivedArray array = subscription.receiveInto(target);
        assertThat(target).isEqualTo(ints);
        assertThat(array.receipt().wireBytes()).isLessThan(160_000);
      }
    }
  }
}
