package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.testkit.TransportContract;
import io.arraywire.testkit.TransportStage.Ends;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
