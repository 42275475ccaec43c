package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProbeTest {
  @Test
  void countsAreThoseOfTheFirstRuleAndOfTheOneThatDrops() throws Exception {
    assertThat(
            Probe.counts(
                """
                Chain INPUT (policy ACCEPT 0 packets, 0 bytes)
                    pkts      bytes target     prot opt in     out     source          destination
                   43997 66568098            0    --  eth0   *       0.0.0.0/0       0.0.0.0/0
                     421   631500 DROP       0    --  eth0   *       0.0.0.0/0       0.0.0.0/0   statistic
                """))
        .containsExactly(43997, 421);
  }

  @Test
  void rulesThatAreNotThereDoNotCountAsNothing() {
    assertThatThrownBy(() -> Probe.counts("Chain INPUT (policy ACCEPT 0 packets, 0 bytes)"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("iptables does not count");
  }
}
