package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.LagPolicy;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.PublishReceipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SubscribeOptions;
import io.arraywire.Subscription;
import io.arraywire.TransportOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.message.Message;
import io.arraywire.spi.Codec;
import io.arraywire.spi.CodecTraits;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is published with a codec in blocks is encoded once, however many have subscribed. */
class PublishedBlocksTest {
  private static final int SUBSCRIBERS = 8;
  private static final int ELEMENTS = 300_000;

  private final AtomicInteger blocks = new AtomicInteger();
  private final List<InMemoryTransport> transports = new ArrayList<>();

  /** {@link RunsCodec}, which counts blocks. */
  private final Codec counting =
      new Codec() {
        @Override
        public String name() {
          return RunsCodec.CODEC.name();
        }

        @Override
        public Encoding encoding() {
          return RunsCodec.ENCODING;
        }

        @Override
        public void encode(
            ElementType type, Object array, int index, int count, ByteBuffer target) {
          blocks.incrementAndGet();
          RunsCodec.CODEC.encode(type, array, index, count, target);
        }

        @Override
        public void decode(ElementType type, ByteBuffer source, Object array, int index, int count)
            throws ProtocolException {
          RunsCodec.CODEC.decode(type, source, array, index, count);
        }

        @Override
        public CodecTraits traits() {
          return RunsCodec.CODEC.traits();
        }
      };

  private static int[] array(int seed) {
    int[] array = new int[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++) {
      // Every other part gets no smaller.
      array[i] = (i >> 14) % 2 == 0 ? i / 50 + seed : i * 0x9e3779b9 + seed;
    }
    return array;
  }

  @FunctionalInterface
  private interface Publishing {
    PublishReceipt publish(Listener listener) throws Exception;
  }

  private int publish(int inboxBytes, int more, int plain) throws Exception {
    int[] expected = array(1);
    return publish(
        inboxBytes,
        more,
        plain,
        listener -> listener.publish("runs", ArraySlice.of(expected.clone())),
        received -> assertThat(received.ints()).isEqualTo(expected));
  }

  /** Publishes to many, of which some want plain elements; returns how many blocks were encoded. */
  private int publish(
      int inboxBytes, int more, int plain, Publishing publishing, Consumer<ReceivedArray> asserts)
      throws Exception {
    blocks.set(0);
    TransportOptions here =
        TransportOptions.builder()
            .codecs(counting, StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN))
            .chunkBytes(4096)
            .build();
    try (InMemoryTransport transport = InMemoryTransport.create(here);
        Listener listener =
            transport.listen(MemoryAddress.free(), Handlers.ofArrays((c, a) -> {}))) {
      List<Subscription> all = new ArrayList<>();
      for (int i = 0; i < SUBSCRIBERS + plain; i++) {
        TransportOptions.Builder there = here.toBuilder().inboxBytes(inboxBytes + more * i);
        if (i >= SUBSCRIBERS) {
          there.codecs(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN));
        }
        InMemoryTransport taking = InMemoryTransport.create(there.build());
        transports.add(taking);
        all.add(
            taking
                .connect(listener.address())
                .subscribe("runs", SubscribeOptions.defaults().policy(LagPolicy.BLOCK)));
      }
      assertThat(publishing.publish(listener))
          .as("plain elements are copied once for both encodings")
          .isEqualTo(new PublishReceipt(all.size(), all.size(), 0, 0, 0, 1));
      for (Subscription each : all) {
        asserts.accept(each.receive());
      }
      return blocks.get();
    } finally {
      transports.forEach(InMemoryTransport::close);
    }
  }

  /** Two of them do not decode blocks. */
  @Test
  void aBlockOfAPartIsEncodedOnceForAllSubscribers() throws Exception {
    int[] expected = array(1);
    Message message =
        Message.of("raw", new byte[] {1, 2, 3})
            .with("ints", expected.clone())
            .with("shorts", new short[] {1})
            .codec("ints", "runs")
            .codec("shorts", "runs");
    int encoded =
        publish(
            64 << 20,
            0,
            2,
            listener -> listener.publish("runs", message),
            received -> {
              assertThat(received.message().bytes("raw")).containsExactly(1, 2, 3);
              assertThat(received.message().ints("ints")).isEqualTo(expected);
              assertThat(received.message().shorts("shorts")).containsExactly(1);
            });
    // With a head and the most zeros a block fills a frame.
    int perBlock = (4096 - 15) / Integer.BYTES;
    assertThat(encoded).isEqualTo((ELEMENTS + perBlock - 1) / perBlock + 1);
  }

  @Test
  void aBlockIsEncodedOnceForAllSubscribers() throws Exception {
    int perBlock = (4096 - 8) / Integer.BYTES;
    assertThat(publish(64 << 20, 0, 2)).isEqualTo((ELEMENTS + perBlock - 1) / perBlock);
  }

  /** Windows of less than two blocks end inside of them, each at other elements. */
  @Test
  void whereCreditCutsBlocksEachGetsItsOwn() throws Exception {
    assertThat(publish(4_200, 250, 0)).isGreaterThan(ELEMENTS * Integer.BYTES / 4096);
  }
}
