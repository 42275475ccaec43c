package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.nio.StalledPeers.Mode;
import io.arraywire.nio.StalledPeers.Rates;
import io.arraywire.testkit.TestAuthority;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Peers that stall leave the others their rate. Prints how much of it; {@code
 * -Darraywire.stalled.connections=1000} has ten times as many, {@code -Darraywire.stalled.stalling}
 * says how many of them stall if not a tenth, {@code -Darraywire.stalled.rounds} repeats more
 * often.
 */
@Tag("slow")
@Tag("alone")
class StalledPeersTest {
  private static final int CONNECTIONS = Integer.getInteger("arraywire.stalled.connections", 100);
  private static final int STALLING =
      Integer.getInteger("arraywire.stalled.stalling", CONNECTIONS / 10);
  private static final int ROUNDS = Integer.getInteger("arraywire.stalled.rounds", 7);

  private static final double LEAST =
      Double.parseDouble(System.getProperty("arraywire.stalled.least", "0.9"));

  /** It is measured again if it is less, since other programs may use the processors, too. */
  private static final int MEASUREMENTS = 5;

  @TempDir Path certificates;

  @ParameterizedTest
  @EnumSource(Mode.class)
  void thoseThatStallLeaveTheOthersTheirRate(Mode mode) throws Exception {
    assertOthersKeepTheirRate(mode, null);
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void overTlsThoseThatStallLeaveTheOthersTheirRate(Mode mode) throws Exception {
    TestAuthority authority = TestAuthority.named("arraywire test");
    authority.write(certificates.resolve("ca.pem"));
    TestAuthority.Identity own = authority.issue("both", "localhost", "127.0.0.1");
    own.writeCertificate(certificates.resolve("own.pem"));
    own.writeKey(certificates.resolve("own.key"));
    assertOthersKeepTheirRate(mode, certificates);
  }

  private static void assertOthersKeepTheirRate(Mode mode, @Nullable Path tls) throws Exception {
    Rates rates;
    int left = MEASUREMENTS;
    do {
      rates = StalledPeers.measure(mode, CONNECTIONS, STALLING, ROUNDS, Duration.ofSeconds(1), tls);
      System.out.println(rates);
    } while (--left > 0 && !(rates.least() > LEAST));
    assertThat(rates.least()).as("%s", rates).isGreaterThan(LEAST);
  }
}
