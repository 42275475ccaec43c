package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.NoRoomException;
import io.arraywire.security.Authenticator;
import io.arraywire.security.Identity;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.Offer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An authenticator that takes long, and one host that has it decide as often as it can. */
class AuthenticationsTest {
  private final Authentications authentications = new Authentications(EngineRuntime.system());
  private final CountDownLatch decides = new CountDownLatch(1);
  private final List<CompletableFuture<Identity>> verdicts = new ArrayList<>();

  private final Authenticator slow =
      peer -> {
        try {
          decides.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return Identity.of("somebody");
      };

  @AfterEach
  void everyCallEnds() throws Exception {
    decides.countDown();
    for (CompletableFuture<Identity> each : verdicts) {
      assertThat(each.get(60, TimeUnit.SECONDS).name()).isEqualTo("somebody");
    }
  }

  private static SocketAddress address(int last, int port) throws UnknownHostException {
    return new InetSocketAddress(
        InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last}), port);
  }

  private void ask(SocketAddress peer) throws NoRoomException {
    Offer offer =
        new Offer(
            Map.of(),
            Set.of(),
            ByteOrder.LITTLE_ENDIAN,
            1,
            1,
            false,
            new byte[0],
            "",
            new FlowOffer(1, 1 << 20, 1 << 20, 0, 0));
    HelloCredentials hello = new HelloCredentials(offer, peer, List.of(), false);
    verdicts.add(authentications.ask(slow, hello, new CompletableFuture<>(), () -> {}));
  }

  @Test
  void oneHostLeavesOthersTheirPlaces() throws Exception {
    for (int i = 0; i < Authentications.MOST_OF_ADDRESS; i++) {
      ask(address(1, 1 + i));
    }
    assertThatThrownBy(() -> ask(address(1, 1000)))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContainingAll("of this address", "limit=128", "192.0.2.1:1000");
    ask(address(2, 1));
    decides.countDown();
    everyCallEnds();
    verdicts.clear();
    // Its places are free again.
    for (int i = 0; i < Authentications.MOST_OF_ADDRESS; i++) {
      ask(address(1, 1 + i));
    }
  }

  @Test
  void soManyAreAskedInAll() throws Exception {
    SocketAddress unix = UnixDomainSocketAddress.of("");
    for (int i = 0; i < Authentications.MOST; i++) {
      ask(unix);
    }
    assertThatThrownBy(() -> ask(address(1, 1)))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContainingAll("too many peers wait", "limit=256");
  }
}
