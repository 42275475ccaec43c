package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.NoRoomException;
import io.arraywire.TransportOptions;
import io.arraywire.security.AcceptLimits;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.testkit.ForwardingRuntime;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SessionsTest {
  /** Peers that open sessions, send nothing and leave must not fill the heap. */
  @Test
  void aSmallHeapKeepsFewerSessions() {
    assertThat(Sessions.most(64L << 20)).isEqualTo(2048);
    assertThat(Sessions.most(1L << 30)).isEqualTo(32_768);
    assertThat(Sessions.most(2L << 30)).isEqualTo(65_536);
    assertThat(Sessions.most(64L << 30)).isEqualTo(65_536);
  }

  /** One that could not be opened takes nobody's place. */
  @Test
  void aSessionThatCannotBeOpenedIsNotCounted() throws Exception {
    NoSecrets runtime = new NoSecrets();
    Sessions sessions = new Sessions(context(runtime));
    SocketAddress from = new InetSocketAddress("127.0.0.1", 1);
    assertThatThrownBy(() -> sessions.open(null, 1000, null, from))
        .isInstanceOf(OutOfMemoryError.class);
    runtime.hasSome = true;
    assertThat(sessions.open(null, 1000, null, from)).isNotNull();
    assertThatThrownBy(() -> sessions.open(null, 1000, null, from))
        .isInstanceOf(NoRoomException.class);
  }

  private static EngineContext context(EngineRuntime runtime) {
    TransportOptions options =
        TransportOptions.builder()
            .sessionTimeout(Duration.ofMinutes(1))
            .acceptLimits(AcceptLimits.none().sessions(1))
            .build();
    return new EngineContext(
        "test",
        options,
        List.of(VerbatimCodec.CODEC),
        HeapMemoryPool.create(),
        1,
        Deadlines.system(),
        runtime,
        Deadlines.system());
  }

  /** A JVM that at first has no memory for random numbers. */
  private static final class NoSecrets extends ForwardingRuntime {
    boolean hasSome;

    @Override
    public void fillSecret(byte[] secret) {
      if (!hasSome) {
        throw new OutOfMemoryError("for a test");
      }
      super.fillSecret(secret);
    }
  }
}
