package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** The options of {@code arraywire bench} with a process of Python at one end. */
final class PythonOptions {
  static final String PYTHON = "--python";
  private static final List<Long> SIZES = List.of(64L, 1L << 20, 64L << 20);
  private static final int BURST = 300;

  @Option(
      names = PYTHON,
      description =
          "Python at one end: a NumPy array goes into a float[] of a JVM and back. Takes "
              + PythonInterpreter.VARIABLE
              + ", or python3, with numpy; with --peers also pyzmq, grpcio, pyarrow and py4j. Not"
              + " with --connections, --data, --network, --pipeline-sizes, --rate, --requests,"
              + " --slow-answers, --window.")
  private boolean python;

  /** Whether Python is at one end. */
  boolean areGiven() {
    return python;
  }

  /**
   * What they say, after all that contenders import in Python was found.
   *
   * @param common the options beside them
   */
  BenchSettings settings(BenchOptions common) {
    List<String> others = new ArrayList<>(OneConnectionOptions.NAMES);
    others.addAll(List.of("--connections", "--network"));
    others.addAll(List.of(RateOptions.RATE, RequestsOptions.REQUESTS));
    common.checkNoneWith(PYTHON, others);
    Set<PythonContender> contenders =
        common.contenders(
            PythonContenders::named, PythonContenders.BASELINE, PythonContenders.all());
    List<Workload> workloads =
        new LinkedHashSet<>(common.counts(SIZES)).stream().map(Workload::roundTrip).toList();
    BenchSettings settings =
        common.settings(List.copyOf(contenders), workloads, common.burst(BURST), 1);
    try {
      return settings.withPython(PythonInterpreter.here().require(contenders));
    } catch (IOException e) {
      throw common.usage(String.valueOf(e.getMessage()));
    }
  }
}
