package io.arraywire.benchmarks.bench;

import io.arraywire.examples.cli.SizeConverter;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code arraywire bench} that are for one connection only. */
final class OneConnectionOptions {
  private static final String PEERS = "--peers";
  private static final String PIPELINE_SIZES = "--pipeline-sizes";
  private static final String WINDOW = "--window";
  private static final String DATA = "--data";

  /** Those that are only for one connection; --peers goes with other questions, too. */
  static final List<String> NAMES = List.of(PIPELINE_SIZES, WINDOW, DATA);

  private static final List<Long> SIZES = List.of(64L, 1L << 20, 64L << 20);
  private static final int BURST = 300;

  @Option(names = PEERS, description = "Other libraries too: build them, and have them take part.")
  private boolean peers;

  @Option(
      names = PIPELINE_SIZES,
      paramLabel = "SIZE",
      split = ",",
      defaultValue = "64",
      converter = SizeConverter.class,
      description =
          "Bytes in arrays that are sent without waiting for each; 0 for none. Default:"
              + " ${DEFAULT-VALUE}.")
  private List<Long> pipelineSizes;

  @Option(
      names = WINDOW,
      paramLabel = "N",
      defaultValue = "256",
      description = "How many of those may be in flight. Default: ${DEFAULT-VALUE}.")
  private int window;

  @Option(
      names = DATA,
      paramLabel = "KIND|FILE.npy",
      completionCandidates = SampleData.Words.class,
      description =
          "What the arrays hold: noise (any bits; the default), or sensors, ticks or weights, which"
              + " are made from a seed. A file gives its floats (float32), from its beginning and"
              + " round again. For contenders that compress: nio-adaptive, nio-shuffle-lz4,"
              + " nio-shuffle-zstd, jdk-deflater and others; see --list.")
  private @Nullable String data;

  /**
   * What they say.
   *
   * @param common the options beside them
   * @param network where the JVMs run
   * @param leftOut told who is left out and why
   */
  BenchSettings settings(
      BenchOptions common, NetworkOptions network, BiConsumer<Participant, String> leftOut) {
    common.check(window >= 2 && window <= 65_536, "--window must be 2 to 65536", "window", window);
    BenchSettings settings =
        common.settings(
            participants(common, network, leftOut),
            workloads(common, network),
            common.burst(BURST),
            1);
    return data == null ? settings : settings.with(named(common, data, settings.mostElements()));
  }

  /** Data that arrays of so many elements can be cut out of. */
  private static ArrayData named(BenchOptions common, String word, int mostElements) {
    try {
      ArrayData named = ArrayData.named(word);
      if (named instanceof FileData file) {
        file.checkFor(mostElements);
      }
      return named;
    } catch (NoSuchFileException e) {
      throw common.usage("--data: there is no such file (file=" + e.getFile() + ")");
    } catch (IOException | IllegalArgumentException e) {
      throw common.usage(String.valueOf(e.getMessage()));
    }
  }

  /** Checks that other libraries were built if --peers is given, which goes with any question. */
  void check(BenchOptions common) {
    if (peers && Contenders.ofPeers().isEmpty()) {
      throw common.usage(
          "the contenders of other libraries were not built; run './arraywire bench --peers'");
    }
  }

  private List<Participant> participants(
      BenchOptions common, NetworkOptions network, BiConsumer<Participant, String> leftOut) {
    List<Participant> participants = new ArrayList<>();
    for (Contender each :
        common.contenders(Contenders::named, Contenders.BASELINE, Contenders.usual())) {
      String unavailable = each.unavailable();
      if (unavailable == null && network.areGiven() && !each.acrossHosts()) {
        // Where it was named that is an error, which the options of the network find.
        unavailable = common.namesContenders() ? null : "it is for one host";
      }
      if (unavailable == null) {
        participants.add(each);
      } else if (common.namesContenders()) {
        throw common.usage(each.name() + " cannot run here: " + unavailable);
      } else {
        leftOut.accept(each, unavailable);
      }
    }
    return List.copyOf(participants);
  }

  private List<Workload> workloads(BenchOptions common, NetworkOptions network) {
    Set<Workload> workloads = new LinkedHashSet<>();
    for (int count : common.counts(network.usualSizes(common, SIZES))) {
      workloads.add(Workload.oneByOne(count));
    }
    for (long size : pipelineSizes) {
      if (size > 0) {
        workloads.add(Workload.pipelined(common.elements(PIPELINE_SIZES, size), window));
      }
    }
    return List.copyOf(workloads);
  }
}
