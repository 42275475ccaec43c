package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.NoRoomException;
import io.arraywire.security.AcceptLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Counts of accepted peers, by a clock that the test moves. */
class AdmissionTest {
  private long now;

  private static SocketAddress address(int last, int port) {
    try {
      byte[] bytes = {(byte) 192, 0, 2, (byte) last};
      return new InetSocketAddress(InetAddress.getByAddress(bytes), port);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  private static SocketAddress address6(int network, int host) throws UnknownHostException {
    byte[] bytes = new byte[16];
    bytes[0] = 0x20;
    bytes[6] = (byte) (network >> 8);
    bytes[7] = (byte) network;
    bytes[15] = (byte) host;
    return new InetSocketAddress(InetAddress.getByAddress(bytes), 1);
  }

  private Admission admission(AcceptLimits limits) {
    return new Admission(limits, () -> now);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void anAddressIsAllItsPorts() {
    Admission admission = admission(AcceptLimits.none().connectionsPerAddress(2));
    assertThat(admission.admit(address(1, 1))).isNull();
    assertThat(admission.admit(address(1, 2))).isNull();
    assertThat(admission.admit(address(1, 3)))
        .isInstanceOf(NoRoomException.class)
        .hasMessageContainingAll("limit=connectionsPerAddress", "most=2", "192.0.2.1:3");
    assertThat(admission.admit(address(2, 1))).isNull();
    admission.ended(address(1, 1));
    assertThat(admission.admit(address(1, 3))).isNull();
  }

  @Test
  void anAddressOfIpv6IsItsNetwork() throws Exception {
    Admission admission = admission(AcceptLimits.none().connectionsPerAddress(1));
    assertThat(admission.admit(address6(1, 1))).isNull();
    assertThat(admission.admit(address6(1, 2))).isNotNull();
    assertThat(admission.admit(address6(2, 1))).isNull();
  }

  @Test
  void peersWithoutAnAddressAreCountedTogetherOnly() {
    Admission admission = admission(AcceptLimits.none().connectionsPerAddress(1).connections(3));
    SocketAddress unix = UnixDomainSocketAddress.of("");
    for (int i = 0; i < 3; i++) {
      assertThat(admission.admit(unix)).isNull();
    }
    assertThat(admission.admit(unix)).hasMessageContaining("limit=connections");
  }

  @Test
  void refusedPeersAreNotCounted() {
    Admission admission = admission(AcceptLimits.none().handshakes(1));
    assertThat(admission.admit(address(1, 1))).isNull();
    for (int i = 0; i < 100; i++) {
      assertThat(admission.admit(address(1, 2))).isNotNull();
    }
    admission.handshakeOver(address(1, 1), PeerFault.NONE);
    assertThat(admission.admit(address(1, 2))).isNull();
  }

  @Test
  void halfOfTheFailuresOfAMinuteComeAtOnceAndTheOthersByAndBy() {
    Admission admission = admission(AcceptLimits.none().failuresPerMinute(60));
    assertThat(failuresOf(admission, 1)).isEqualTo(30);
    // Another address is another one.
    assertThat(failuresOf(admission, 2)).isEqualTo(30);
    pass(Duration.ofMillis(999));
    assertThat(failuresOf(admission, 1)).isZero();
    pass(Duration.ofMillis(2001));
    assertThat(failuresOf(admission, 1)).isEqualTo(3);
    pass(Duration.ofHours(1));
    assertThat(failuresOf(admission, 1)).isEqualTo(30);
  }

  /** A peer of another version may connect ten times as often as one that fails, and not more. */
  @Test
  void misfitsComeTenTimesAsOftenAsFailures() {
    Admission admission = admission(AcceptLimits.none().failuresPerMinute(60));
    assertThat(endsOf(admission, 1, PeerFault.MISFIT)).isEqualTo(300);
    assertThat(admission.admit(address(1, 1)))
        .hasMessageContainingAll("in common", "limit=failuresPerMinute", "most=600");
    assertThat(failuresOf(admission, 2)).isEqualTo(30);
    pass(Duration.ofMillis(1001));
    assertThat(endsOf(admission, 1, PeerFault.MISFIT)).isEqualTo(10);
    assertThat(endsOf(admission, 1, PeerFault.DENIED)).isZero();
    pass(Duration.ofHours(1));
    // Each kind has its own.
    assertThat(failuresOf(admission, 1)).isEqualTo(30);
    assertThat(endsOf(admission, 3, PeerFault.MISFIT)).isEqualTo(300);
  }

  /** All of them were let in before the first one failed. */
  @Test
  void failuresOfPeersThatCameTogetherAreAllCounted() {
    Admission admission = admission(AcceptLimits.none().failuresPerMinute(60));
    for (int port = 0; port < 500; port++) {
      assertThat(admission.admit(address(1, port))).isNull();
    }
    for (int port = 0; port < 500; port++) {
      admission.handshakeOver(address(1, port), PeerFault.DENIED);
      admission.ended(address(1, port));
    }
    // 30 were free, and each of the others costs a second.
    pass(Duration.ofSeconds(470));
    assertThat(failuresOf(admission, 1)).isZero();
    pass(Duration.ofMillis(1500));
    assertThat(failuresOf(admission, 1)).isEqualTo(1);
  }

  private static int failuresOf(Admission admission, int last) {
    return endsOf(admission, last, PeerFault.DENIED);
  }

  /** How many handshakes of an address may end so until it has to wait. */
  private static int endsOf(Admission admission, int last, PeerFault fault) {
    int ends = 0;
    while (admission.admit(address(last, 1)) == null) {
      ends++;
      admission.handshakeOver(address(last, 1), fault);
      admission.ended(address(last, 1));
    }
    return ends;
  }

  @Test
  void newConnectionsComeAtARate() {
    Admission admission = admission(AcceptLimits.none().connectsPerSecond(10));
    for (int second = 0; second < 5; second++) {
      int let = 0;
      while (admission.admit(address(let % 7, 1)) == null) {
        let++;
      }
      assertThat(let).isEqualTo(10);
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void oneAddressLeavesHalfOfTheNewConnectionsToOthers() {
    Admission admission = admission(AcceptLimits.none().connectsPerSecond(10));
    for (int second = 0; second < 5; second++) {
      int let = 0;
      while (admission.admit(address(1, let)) == null) {
        let++;
      }
      assertThat(let).isEqualTo(5);
      for (int i = 0; i < 100; i++) {
        assertThat(admission.admit(address(1, i)))
            .hasMessageContainingAll("this address", "limit=connectsPerSecond", "most=5");
      }
      for (int other = 2; other < 7; other++) {
        assertThat(admission.admit(address(other, 1))).isNull();
      }
      assertThat(admission.admit(address(7, 1))).hasMessageContaining("most=10");
      pass(Duration.ofSeconds(1));
    }
  }

  @Test
  void sessionsAreOfTheAddressThatHasOpenedThem() throws Exception {
    Admission admission = admission(AcceptLimits.none().sessions(5).sessionsPerAddress(2));
    for (int last = 1; last <= 2; last++) {
      admission.opensSession(address(last, 1), 100);
      admission.opensSession(address(last, 2), 100);
    }
    assertThat(failure(admission, 1, 100)).hasMessageContaining("limit=sessionsPerAddress");
    admission.opensSession(address(3, 1), 100);
    assertThat(failure(admission, 4, 100)).hasMessageContaining("limit=sessions, most=5");
    assertThat(failure(admission, 4, 3)).hasMessageContaining("limit=sessions, most=3");
    admission.sessionOver(address(1, 1));
    admission.opensSession(address(1, 9), 100);
  }

  private static NoRoomException failure(Admission admission, int last, long mostOfHeap) {
    try {
      admission.opensSession(address(last, 1), mostOfHeap);
    } catch (NoRoomException e) {
      return e;
    }
    throw new AssertionError("a session too many");
  }

  /** A host that fails as often as it can has a few lines, and others still have theirs. */
  @Test
  void linesOfAnAddressAreHeldBack() {
    Admission admission = admission(AcceptLimits.none());
    int lines = 0;
    for (int i = 0; i < 10_000; i++) {
      if (admission.before(address(1, i)) != LogThrottle.HELD_BACK) {
        lines++;
      }
    }
    assertThat(lines).isEqualTo(10);
    assertThat(admission.before(address(2, 1))).isZero();
    pass(Duration.ofSeconds(5));
    assertThat(admission.before(address(1, 1))).isEqualTo(9990);
  }

  /** A host with as many addresses as it likes has no more lines than that. */
  @Test
  void linesOfAllAddressesAreHeldBack() {
    Admission admission = admission(AcceptLimits.none());
    int lines = 0;
    for (int i = 0; i < 10_000; i++) {
      if (admission.before(address(i % 250, i)) != LogThrottle.HELD_BACK) {
        lines++;
      }
    }
    assertThat(lines).isEqualTo(200);
    pass(Duration.ofSeconds(5));
    assertThat(admission.before(address(251, 1))).isEqualTo(2300);
  }

  /** Every line is logged, or counted in one that is. */
  @Test
  void noLineIsLostThatWasHeldBack() {
    Admission admission = admission(AcceptLimits.none());
    long told = 0;
    for (int i = 0; i < 1000; i++) {
      told += told(admission, 1);
    }
    for (int i = 0; i < 10_000; i++) {
      told += told(admission, 2 + i % 200);
    }
    // There is a line for this address again, and none for all.
    pass(Duration.ofSeconds(5));
    for (int i = 0; i < 100; i++) {
      told += told(admission, 202 + i % 20);
    }
    told += told(admission, 1);
    pass(Duration.ofHours(1));
    for (int last = 1; last <= 250; last++) {
      told += told(admission, last);
      pass(Duration.ofSeconds(1));
    }
    assertThat(told).isEqualTo(1000 + 10_000 + 100 + 1 + 250);
  }

  /** How many lines a line that is logged stands for; 0 for one that is not. */
  private static long told(Admission admission, int last) {
    long before = admission.before(address(last, 1));
    return before == LogThrottle.HELD_BACK ? 0 : before + 1;
  }

  /** Those without anything left are forgotten when there are many, and the others are not. */
  @Test
  void addressesThatAreGoneAreForgotten() throws Exception {
    Admission admission = admission(AcceptLimits.none().connectionsPerAddress(1));
    assertThat(admission.admit(address6(0, 1))).isNull();
    for (int network = 1; network < 40_000; network++) {
      SocketAddress each = address6(network, 1);
      assertThat(admission.admit(each)).isNull();
      admission.handshakeOver(each, PeerFault.NONE);
      admission.ended(each);
      pass(Duration.ofMillis(1));
    }
    assertThat(admission.addresses()).isLessThan(18_000);
    assertThat(admission.admit(address6(0, 2))).isNotNull();
  }

  @Test
  void onlySoManyRefusalsAreTold() {
    Admission admission = admission(AcceptLimits.none());
    int told = 0;
    for (int i = 0; i < 1000; i++) {
      told += admission.tells() ? 1 : 0;
    }
    assertThat(told).isEqualTo(100);
  }
}
