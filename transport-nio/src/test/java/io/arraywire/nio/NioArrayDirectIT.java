package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.message.Message;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.TransportContract;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/**
 * Arrays that go without staging, from 4 KiB on (below that the engine does not ask); from the
 * packaged jar, since only there the classes of JDK 22 take the place of the others.
 */
@EnabledForJreRange(min = JRE.JAVA_22, disabledReason = "the foreign function API is of JDK 22")
@Tag("ci")
class NioArrayDirectIT extends TransportContract {
  @Override
  protected Transport create(TransportOptions options) {
    return new SelectorTransport(
        options, NioOptions.defaults(), channel -> new ChannelIo(channel, 1));
  }

  @Override
  public Promises promises() {
    return new Promises(1, 1, 0, 4 << 10);
  }

  @Test
  void aConnectionSaysSo() throws Exception {
    Ends ends = stage().ends();
    ends.here().send(new float[100_000]);
    ends.there().receive();
    for (Connection end : new Connection[] {ends.here(), ends.there()}) {
      assertThat(end.describe())
          .contains("large arrays of at least 1 bytes without staging")
          .contains("without checksums");
    }
  }

  /** Each from its own array into one of its own. */
  @Test
  void partsOfMessagesAreNotCopiedEither() throws Exception {
    Ends ends = stage().ends();
    Message message =
        Message.of("a", new float[1 << 18])
            .with("b", new long[1 << 17])
            .with("c", new double[(1 << 17) - 1], (1 << 17) - 1)
            .withRows("d", new int[2][1 << 17]);
    CompletableFuture<ReceivedArray> receiving =
        CompletableFuture.supplyAsync(() -> {
          try {
            return ends.there().receive();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
    Receipt sent = ends.here().send(message, SendOptions.processed());
    ReceivedArray received = receiving.get(60, TimeUnit.SECONDS);
    assertThat(sent.copiedBytes()).isZero();
    assertThat(received.message().toString()).isEqualTo(message.toString());
  }

  /** Blocks are made of copies; they do not make the raw parts beside them cost more. */
  @Test
  void rawPartsBesideBlocksAreNotCopiedEither() throws Exception {
    Ends ends =
        stage()
            .ends(options ->
                options.codecs(StandardCodecs.raw(ByteOrder.LITTLE_ENDIAN), new NeverSmaller()));
    Message message =
        Message.of("a", new float[1 << 18])
            .with("b", new long[1000])
            .with("c", new int[1 << 20])
            .with("d", new short[1000])
            .codec("b", "never-smaller")
            .codec("d", "never-smaller");
    CompletionStage<Receipt> sent = ends.here().sendAsync(message, SendOptions.processed());
    ReceivedArray received = ends.there().receive();
    Receipt receipt = sent.toCompletableFuture().get(60, TimeUnit.SECONDS);
    assertThat(receipt.copiedBytes()).isBetween(10_000L, 100_000L);
    assertThat(received.message().toString()).isEqualTo(message.toString());
  }

  private static final class NeverSmaller implements Codec {
    private static final Encoding ENCODING =
        Encoding.customInBlocks(212, "never-smaller", ByteOrder.LITTLE_ENDIAN, type -> true);

    @Override
    public String name() {
      return "never-smaller";
    }

    @Override
    public Encoding encoding() {
      return ENCODING;
    }

    @Override
    public void encode(ElementType type, Object array, int index, int count, ByteBuffer target) {
      // All blocks travel raw.
    }

    @Override
    public void decode(ElementType type, ByteBuffer source, Object array, int index, int count) {
      throw new AssertionError("a block that was made smaller");
    }
  }

  /** Where the system's default paces, which the kernel says. */
  @Test
  void andWhetherTheSystemsPacingIsEnded() throws Exception {
    String system = Files.readString(Path.of("/proc/sys/net/ipv4/tcp_congestion_control")).strip();
    Ends ends = stage().ends();
    ends.here().send(new float[100_000]);
    ends.there().receive();
    String ended = ", TCP reno in place of " + system;
    boolean overTcp = ends.here().remoteAddress() instanceof InetSocketAddress;
    if (overTcp && Pacing.paces(system)) {
      assertThat(ends.here().describe()).contains("without staging" + ended);
    } else {
      assertThat(ends.here().describe()).doesNotContain(ended);
    }
    assertThat(ends.there().describe()).doesNotContain(ended);
  }
}
