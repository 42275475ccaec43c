package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class NetworkProfileTest {
  private static final double MILLISECOND = 1e6;

  private static NetworkFindings found(double megabits, double millis, long packets, long lost) {
    return new NetworkFindings(megabits * 1e6, millis * MILLISECOND, packets, lost, "cubic");
  }

  @ParameterizedTest
  @EnumSource
  void aProfileHasItsName(NetworkProfile profile) {
    assertThat(NetworkProfile.named(profile.word())).isEqualTo(profile);
  }

  @Test
  void anotherNameIsRefused() {
    assertThatThrownBy(() -> NetworkProfile.named("2gbit"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there are unshaped, ")
        .hasMessageEndingWith("(network=2gbit)");
  }

  @ParameterizedTest
  @CsvSource({"10gbit", "1gbit", "100mbit"})
  void aRateIsThatOfABucketThatHoldsMoreThanAPacket(String word) {
    assertThat(NetworkProfile.named(word).commands("eth7"))
        .containsExactly(
            List.of(
                ("tc qdisc add dev eth7 root tbf rate " + word + " burst 256kb latency 100ms")
                    .split(" ")));
  }

  @Test
  void lossIsCountedAndThatOfSmallPackets() {
    assertThat(NetworkProfile.LOSS.commands("eth7"))
        .extracting(each -> String.join(" ", each))
        .containsExactly(
            "ip link set dev eth7 gso_max_segs 1",
            "iptables -w -A INPUT -i eth7",
            "iptables -w -A INPUT -i eth7 -m statistic --mode random --probability 0.01 -j DROP");
  }

  @Test
  void nothingIsDoneToANetworkWithoutAShape() {
    assertThat(NetworkProfile.UNSHAPED.commands("eth7")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "unshaped,20000,0.01,0,0,",
    "1gbit,960,0.01,0,0,",
    "1gbit,1200,0.01,0,0,it is faster",
    "100mbit,960,0.01,0,0,it is faster",
    "delay,100,10.1,0,0,",
    "delay,100,0.3,0,0,its round trips are shorter than two delays",
    "loss1,100,0.1,20000,204,",
    "loss1,100,0.1,20000,0,it loses another part of the packets",
    "loss1,100,0.1,20000,1000,it loses another part of the packets",
    "loss1,100,0.1,20,0,",
  })
  void whatIsMeasuredMustBeWhatWasMade(
      String word, double megabits, double millis, long packets, long lost, String complaint) {
    assertThat(NetworkProfile.named(word).complaint(found(megabits, millis, packets, lost)))
        .isEqualTo(complaint);
  }

  @Test
  void aRateThatTheMachineDoesNotReachIsRemarked() {
    assertThat(NetworkProfile.TEN_GBIT.remark(found(5000, 0.1, 0, 0))).contains("does not reach");
    assertThat(NetworkProfile.TEN_GBIT.remark(found(9400, 0.1, 0, 0))).isEmpty();
    assertThat(NetworkProfile.UNSHAPED.remark(found(1, 0.1, 0, 0))).isEmpty();
  }

  @Test
  void aReportSaysWhatWasDoneAndWhatWasMeasured() {
    NetworkReport report =
        new NetworkReport(
            NetworkProfile.LOSS, "containers", false, "a rule", found(123.4, 0.25, 20_000, 204));
    assertThat(report.line())
        .isEqualTo(
            "network: loss1 between containers; applied: a rule; measured: 123 Mbit/s of payload,"
                + " round trip 250 us, 204 of 20000 packets lost (1.02 %), TCP cubic");
    assertThat(report.members()).containsEntry("profile", "loss1").containsKey("measured");
    assertThat(
            new NetworkReport(NetworkProfile.DELAY, "containers", true, "", found(1, 1, 0, 0))
                .title())
        .isEqualTo("delay by a relay between containers");
  }
}
