package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.memory.MemoryOptions;
import io.arraywire.security.Tls;
import io.arraywire.spi.HeapMemoryPool;
import io.arraywire.spi.TrackingMemoryPool;
import io.arraywire.testkit.TamperingLayer.Deed;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A short exchange over TLS that is cut before some of its bytes, and one in which a bit of some of
 * them is another (nightly: of each): there is one typed failure, what is acknowledged was
 * delivered, nothing is delivered twice or changed, nothing hangs, and all memory comes back.
 */
@Tag("ci")
@Tag("ciphers")
@Timeout(1200)
class TamperedTlsTest {
  private static final float[] ARRAY = {1, 2, 3, 4, 5, 6, 7, 8};

  /** With what an exchange may end that is cut. */
  private static final Set<ErrorCode> OF_CUT =
      EnumSet.of(ErrorCode.TLS_FAILED, ErrorCode.CONNECTION_RESET, ErrorCode.DELIVERY_UNKNOWN);

  /**
   * Longer than a busy machine takes for a handshake; where bytes are changed, some wait for it.
   */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private static final int CUT_EVERY = Boolean.getBoolean("arraywire.test.thorough") ? 1 : 17;

  private static final int FLIP_EVERY = Boolean.getBoolean("arraywire.test.thorough") ? 1 : 23;

  private static @Nullable Tls tls;

  @BeforeAll
  static void issue(@TempDir Path folder) {
    tls = TestTls.mutual(folder);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void aConnectionThatIsCutAnywhereFails(Role victim) throws Exception {
    try (Bench bench = new Bench(new TamperingLayer(victim, Deed.CUT), Duration.ofSeconds(60))) {
      long whole = bench.lengthOfWhole();
      int completed = 0;
      for (long at = 0; at < whole; at += CUT_EVERY) {
        ErrorCode code = bench.exchange(at);
        if (code == null) {
          completed++;
        } else {
          assertThat(OF_CUT).as("cut before byte %s: %s", at, bench.lastFailure).contains(code);
        }
      }
      // A sender that has had the acknowledgement does not mind what becomes of the goodbye.
      assertThat(completed * CUT_EVERY).isLessThan(200);
      assertThat(bench.exchange(Long.MAX_VALUE)).isNull();
      bench.assertTypedThere(OF_CUT);
    }
  }

  /** But for what TLS does not look at: the version in the header of a record. */
  @ParameterizedTest
  @EnumSource(Role.class)
  void aBitThatIsAnotherIsNoticed(Role victim) throws Exception {
    try (Bench bench = new Bench(new TamperingLayer(victim, Deed.FLIP), PATIENCE)) {
      long whole = bench.lengthOfWhole();
      Map<ErrorCode, Integer> codes = new EnumMap<>(ErrorCode.class);
      int completed = 0;
      for (long at = 0; at < whole; at += FLIP_EVERY) {
        ErrorCode code = bench.exchange(at);
        if (code == null) {
          completed++;
        } else {
          codes.merge(code, 1, Integer::sum);
        }
      }
      assertThat(codes.keySet())
          .as("seen " + codes)
          .isSubsetOf(
              ErrorCode.TLS_FAILED,
              ErrorCode.TLS_MISMATCH,
              // The other side gave up when the bytes did not come that were declared.
              ErrorCode.TRUNCATED,
              ErrorCode.CERTIFICATE_REFUSED,
              ErrorCode.CONNECTION_RESET,
              ErrorCode.DELIVERY_UNKNOWN,
              ErrorCode.HEARTBEAT_TIMEOUT,
              ErrorCode.HANDSHAKE_TIMEOUT);
      assertThat(codes.get(ErrorCode.TLS_FAILED)).isGreaterThan(10);
      assertThat(completed * FLIP_EVERY).as("seen " + codes).isLessThan(420);
      assertThat(bench.exchange(Long.MAX_VALUE)).isNull();
    }
  }

  /** Two transports over one another, with a layer beneath TLS. */
  private static final class Bench implements AutoCloseable {
    private final TamperingLayer layer;
    private final TrackingMemoryPool pool = TrackingMemoryPool.around(HeapMemoryPool.create());
    private final ObservedErrors errors = new ObservedErrors();
    private final Transport here;
    private final Transport there;
    private final Listener listener;

    /**
     * How often the array of each exchange was delivered: one that failed may still be in flight.
     */
    private final Map<Long, Integer> delivered = new ConcurrentHashMap<>();

    private final AtomicInteger changed = new AtomicInteger();
    private String lastFailure = "none";
    private long exchanges;

    Bench(TamperingLayer layer, Duration patience) throws Exception {
      this.layer = layer;
      TransportOptions.Builder options =
          TransportOptions.builder()
              .tls(tls)
              .memoryPool(pool)
              .connectTimeout(patience)
              .heartbeatInterval(Duration.ofMillis(50))
              .heartbeatTimeout(patience)
              .closeTimeout(patience);
      here = InMemoryTransport.create(options.build(), MemoryOptions.defaults(), layer);
      there =
          InMemoryTransport.create(
              options.observer(errors).build(), MemoryOptions.defaults(), layer);
      listener =
          there.listen(
              MemoryAddress.free(),
              Handlers.ofArrays((connection, array) -> {
                delivered.merge(array.tag(), 1, Integer::sum);
                if (!Arrays.equals(ARRAY, array.floats())) {
                  changed.incrementAndGet();
                }
              }));
    }

    /**
     * How many bytes the victim reads in an exchange that is let alone, once both sides know each
     * other: from then on a handshake resumes what the first one has agreed on.
     */
    long lengthOfWhole() throws Exception {
      for (int i = 0; i < 3; i++) {
        ErrorCode code = exchange(Long.MAX_VALUE);
        assertThat(code).as(() -> lastFailure).isNull();
      }
      return layer.read.get();
    }

    /** Connects, sends, closes; returns with what it failed, null if it did not. */
    @Nullable ErrorCode exchange(long at) throws Exception {
      layer.at = at;
      long exchange = exchanges++;
      ErrorCode failure = null;
      try (Connection connection = here.connect(listener.address())) {
        connection.send(ARRAY, SendOptions.processed().tag(exchange));
        assertThat(delivered).containsEntry(exchange, 1);
      } catch (ArraywireException e) {
        failure = e.code();
        lastFailure = e.getMessage();
      }
      assertThat(delivered.values()).containsOnly(1);
      assertThat(changed.get()).isZero();
      return failure;
    }

    void assertTypedThere(Set<ErrorCode> expected) {
      assertThat(errors.codes()).isSubsetOf(expected);
    }

    @Override
    public void close() {
      here.close();
      there.close();
      pool.close();
    }
  }
}
