package io.arraywire.benchmarks.network;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.util.List;

/**
 * A host of a {@link HostNetwork}.
 *
 * @param jvm the JVM that runs there
 * @param label what it is, in words
 * @param address its address in the network
 * @param inside what goes before a command of this machine that is to run in the host's network
 *     namespace; it takes root
 */
record NetworkHost(ChildJvm jvm, String label, String address, List<String> inside) {
  /** The only one beside its loopback interface. */
  static final String DEVICE = "eth0";

  /**
   * Runs commands of this machine on the host's network.
   *
   * @throws IOException if one fails, or these are not the commands' rights, or not this machine's
   *     hosts
   */
  void run(List<List<String>> commands) throws IOException {
    if (commands.isEmpty()) {
      return;
    }
    String addresses =
        HostCommand.run(inside, List.of("ip", "-4", "-oneline", "address", "show", "dev", DEVICE));
    if (!addresses.contains(" " + address + "/")) {
      throw new IOException(
          "this host's network cannot be reached from here; does the container engine run on"
              + " another machine? (host="
              + label
              + ", address="
              + address
              + ", found="
              + addresses.strip().replaceAll("\\s+", " ")
              + ")");
    }
    for (List<String> each : commands) {
      HostCommand.run(inside, each);
    }
  }
}
