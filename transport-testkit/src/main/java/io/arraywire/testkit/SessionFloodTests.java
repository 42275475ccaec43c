package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One host that opens all the sessions that it can leaves the others theirs. */
interface SessionFloodTests {
  TransportStage stage();

  @Test
  default void anAddressThatHasAllItsSessionsLeavesOtherAddressesTheirs() throws Exception {
    assumeTrue(stage().address() instanceof InetSocketAddress, "addresses need TCP");
    assumeTrue(
        System.getProperty("os.name", "").contains("Linux"),
        "127.0.0.2 is an address of this host");
    // Nightly as many as there may be by default.
    int most = Boolean.getBoolean("arraywire.test.thorough") ? 5000 : 200;
    LimitedListener limited =
        LimitedListener.with(
            stage(),
            limits -> limits.sessionsPerAddress(most),
            options -> options.sessionTimeout(Duration.ofMinutes(10)));
    InetAddress greedy = InetAddress.getByName("127.0.0.2");
    for (int i = 0; i < most; i++) {
      // Its connection is gone, and the session is kept.
      stage().rawPeerFrom(greedy, limited.listener.address()).opensSession().close();
    }
    for (int i = 0; i < 3; i++) {
      RawPeer further = stage().closing(stage().rawPeerFrom(greedy, limited.listener.address()));
      further.send(
          RawHandshake.bytes(
              FrameLayout.VERSION, FrameLayout.VERSION, RawOffer.plain().helloOfSession()));
      RawFault refusal = further.readHandshake().fault();
      assertThat(refusal.code()).isEqualTo(ErrorCode.TOO_MANY_CONNECTIONS);
      assertThat(refusal.text()).contains("limit=sessionsPerAddress", "most=" + most);
      assertThat(limited.nextFailure()).matches(ErrorCode.TOO_MANY_CONNECTIONS::isOf);
    }
    Connection honest = limited.connect();
    assertThat(honest.agreement().sessionTimeout()).isNotNull();
    honest.send(new int[1]);
    limited.friendIsServed();
  }
}
