package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A sender on one of two hosts and a receiver on the other. They are to have a session, since then
 * both say so when a connection breaks, and why.
 */
record OneWay(DeliveryProgram receiver, DeliveryProgram sender) {

  static OneWay toRight(DeliveryPrograms programs, TwoHosts hosts, String... load)
      throws IOException {
    return start(programs, hosts.onLeft(), hosts.onRight(), hosts.right(), load);
  }

  static OneWay toLeft(DeliveryPrograms programs, TwoHosts hosts, String... load)
      throws IOException {
    return start(programs, hosts.onRight(), hosts.onLeft(), hosts.left(), load);
  }

  private static OneWay start(
      DeliveryPrograms programs, List<String> from, List<String> to, String address, String... load)
      throws IOException {
    DeliveryProgram receiver = programs.receiver(to, "address=" + address + ":0");
    String[] arguments = new String[load.length + 1];
    arguments[0] = "address=" + receiver.listening();
    System.arraycopy(load, 0, arguments, 1, load.length);
    return new OneWay(receiver, programs.sender(from, arguments));
  }

  /** Waits for its end, and checks that no connection broke or failed. */
  void assertOneConnectionSufficed(Duration most) throws Exception {
    sender.awaitEnd(most);
    String summary = sender.line();
    System.out.println(summary);
    receiver.end();
    for (DeliveryProgram each : List.of(sender, receiver)) {
      assertThat(each.words()).content().doesNotContain("the connection of a session broke");
    }
    assertThat(summary).contains("sessions=1,", "lastFailure=null");
  }
}
