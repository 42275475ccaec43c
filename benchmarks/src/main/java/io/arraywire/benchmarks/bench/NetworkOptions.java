package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.HostKind;
import io.arraywire.benchmarks.network.NetworkProfile;
import io.arraywire.benchmarks.network.Networks;
import io.arraywire.benchmarks.network.ProfiledHosts;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code arraywire bench} for JVMs on two hosts. */
final class NetworkOptions {
  private static final String NETWORK = "--network";

  @Option(
      names = NETWORK,
      paramLabel = "PROFILE",
      split = ",",
      description =
          "Put sender and receiver into separate containers, on a bridge network that is made for"
              + " them. PROFILE is unshaped, 10gbit, 1gbit, 100mbit, loss1 (1 %% of the packets are"
              + " lost) or delay (5 ms each way). Several, with commas between, run one after the"
              + " other. Without an engine for containers: network namespaces, which take root.")
  private @Nullable List<String> names;

  @Option(
      names = "--base-image",
      paramLabel = "IMAGE",
      description =
          "With --network: an image that has a java of 17 or later, instead of one that is built"
              + " from scratch of this Java.")
  private @Nullable String baseImage;

  @Option(
      names = "--namespaces",
      description = "With --network: network namespaces even where there is an engine.")
  private boolean namespaces;

  /** Whether the JVMs run on two hosts. */
  boolean areGiven() {
    return names != null;
  }

  /** Where to measure, one after the other. */
  List<NetworkProfile> profiles(BenchOptions common) {
    return names == null ? List.of() : names.stream().map(each -> named(common, each)).toList();
  }

  /**
   * Checks what was given.
   *
   * @param common the options beside it
   * @param runs what is to be measured
   */
  void check(BenchOptions common, List<BenchSettings> runs) {
    if (names == null) {
      if (baseImage != null || namespaces) {
        throw common.usage("--base-image and --namespaces do not go without " + NETWORK);
      }
      return;
    }
    if (baseImage != null && namespaces) {
      throw common.usage("--base-image does not go with --namespaces, which have no image");
    }
    int networks = profiles(common).size();
    if (common.full() && networks > 1) {
      throw common.usage(
          "--full goes on after an interruption with one "
              + NETWORK
              + " only (networks="
              + networks
              + ")");
    }
    for (BenchSettings run : runs) {
      for (Participant each : run.contenders()) {
        if (!each.acrossHosts()) {
          throw common.usage(each.name() + " does not go with " + NETWORK + ": it is for one host");
        }
      }
    }
  }

  private static NetworkProfile named(BenchOptions common, String word) {
    try {
      return NetworkProfile.named(word);
    } catch (IllegalArgumentException e) {
      throw common.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Bytes in each array, if the command line does not say: an array must pass in a moment. */
  List<Long> usualSizes(BenchOptions common, List<Long> onOneMachine) {
    return profiles(common).stream().allMatch(NetworkProfile::fast)
        ? onOneMachine
        : List.of(64L, 64L << 10, 4L << 20);
  }

  /**
   * Makes a network.
   *
   * @param files other builds of this program that JVMs may run there, too, and data that they read
   * @param says told what is done, line by line
   * @param log where the standard error of JVMs goes, or null for nowhere
   */
  ProfiledHosts open(
      NetworkProfile profile, List<Path> files, Consumer<String> says, @Nullable PrintStream log)
      throws IOException {
    return Networks.open(
        profile,
        namespaces ? HostKind.NAMESPACES : HostKind.CONTAINERS,
        baseImage,
        files,
        says,
        log);
  }
}
