package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.JvmHosts;
import io.arraywire.benchmarks.network.LoopbackHosts;
import io.arraywire.benchmarks.result.Environment;
import io.arraywire.benchmarks.result.Run;
import io.arraywire.examples.report.Units;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is measured, and how long.
 *
 * @param contenders who takes part, the baseline first
 * @param workloads what they do
 * @param rounds how often each does it
 * @param burst how long each time
 * @param warmups how often before that, at most: those that are warm stop earlier
 * @param budget how long all of it may take; then there are fewer rounds
 * @param jvmOptions further options for the JVMs of all contenders
 * @param hosts where these JVMs run
 * @param data what arrays hold, where the command line says it; null for noise
 * @param python the Python of one end and its packages, with versions; null where both are JVMs
 */
record BenchSettings(
    List<Participant> contenders,
    List<Workload> workloads,
    int rounds,
    Duration burst,
    int warmups,
    Duration budget,
    List<String> jvmOptions,
    JvmHosts hosts,
    @Nullable ArrayData data,
    @Nullable String python) {
  private static final long MORE_HEAP = 96L << 20;

  /** The blocking transport has a chunk of 64 KiB for each direction. */
  private static final long HEAP_PER_CONNECTION = 256L << 10;

  /** Settings for JVMs that meet over this machine's loopback interface. */
  static Builder of(List<? extends Participant> contenders, List<Workload> workloads) {
    return new Builder(contenders, workloads);
  }

  /** The same elsewhere. */
  BenchSettings on(JvmHosts otherHosts) {
    return new Builder(this).hosts(otherHosts).build();
  }

  /** The same with others that take part, and other workloads. */
  BenchSettings with(List<Participant> otherContenders, List<Workload> otherWorkloads) {
    return new Builder(this).what(otherContenders, otherWorkloads).build();
  }

  /** The same with arrays that hold other data. */
  BenchSettings with(ArrayData otherData) {
    return new Builder(this).data(otherData).build();
  }

  /** The same with a process of this Python at one end. */
  BenchSettings withPython(String versions) {
    return new Builder(this).python(versions).build();
  }

  /** The same with other lengths. */
  BenchSettings longer(int otherRounds, int otherWarmups, Duration otherBudget) {
    return new Builder(this).rounds(otherRounds).warmups(otherWarmups).budget(otherBudget).build();
  }

  /** Further options for the JVMs of all contenders where these run: one tells them the data. */
  List<String> allJvmOptions() {
    List<String> all = new ArrayList<>(jvmOptions);
    if (data != null) {
      all.add(data.jvmOption(hosts));
    }
    return List.copyOf(all);
  }

  /**
   * What the title of a table says of the data, the network and the ends: words that begin with a
   * comma.
   */
  String label() {
    return (data == null ? "" : ", data " + data.label())
        + hosts.label()
        + (python == null ? "" : Run.PYTHON);
  }

  /** What is measured and where, in a line above the tables. */
  String heading() {
    return String.format(
        "%s%d contenders, each with %s (Java %s, %d processors, TCP %s, heaps of %s,"
            + " -XX:+AlwaysPreTouch%s)",
        connectionsLabel(),
        contenders.size(),
        python == null
            ? "a JVM that sends and one that receives"
            : "a process of " + python + " that sends and a JVM that sends back",
        hosts.java(),
        Runtime.getRuntime().availableProcessors(),
        Environment.congestionControl(),
        Units.bytes(heapBytes()),
        allJvmOptions().stream().map(each -> " " + each).collect(Collectors.joining()));
  }

  /** How many connections work at the same time, where a run is about that; otherwise nothing. */
  String connectionsLabel() {
    Workload first = workloads.get(0);
    return first.concurrent() && first.clients() == null && first.rate() == null
        ? first.connectionsLabel() + ": "
        : "";
  }

  /** The contender that the others are compared with. */
  String baseline() {
    return contenders.get(0).name();
  }

  int mostElements() {
    return workloads.stream().mapToInt(Workload::count).max().orElse(1);
  }

  /** What all connections that work at the same time need for an array each, at one end. */
  long arrayBytes() {
    return (long) mostElements() * Float.BYTES * Math.max(1, connections());
  }

  /** How many connections work at the same time; 0 where one does alone. */
  int connections() {
    return workloads.stream().mapToInt(Workload::connections).max().orElse(0);
  }

  /**
   * The heap of each JVM that allocates nothing: room for the arrays twice. A collector that
   * divides the heap into parts would otherwise find no part for a large array.
   */
  long heapBytes() {
    return 2 * arrayBytes() + MORE_HEAP + connections() * HEAP_PER_CONNECTION;
  }

  /** The heap of each JVM of a participant. */
  long heapBytes(Participant participant) {
    return heapBytes() + participant.garbageBytes();
  }

  /** What all JVMs need of the machine's memory. */
  long memoryBytes() {
    return 2
        * contenders.stream()
            .mapToLong(each -> heapBytes(each) + arrayBytes())
            .reduce(0, Long::sum);
  }

  /** The most steps that {@link Rounds} reports, if none of them is done. */
  int steps() {
    return contenders.size() * (1 + workloads.size() * (warmups + rounds));
  }

  /** Makes settings; what is not set is as short as can be. */
  static final class Builder {
    private List<Participant> contenders;
    private List<Workload> workloads;
    private int rounds = 1;
    private Duration burst = Duration.ofMillis(1);
    private int warmups;
    private Duration budget = Duration.ofMinutes(1);
    private List<String> jvmOptions = List.of();
    private JvmHosts hosts = new LoopbackHosts();
    private @Nullable ArrayData data;
    private @Nullable String python;

    private Builder(List<? extends Participant> contenders, List<Workload> workloads) {
      this.contenders = List.copyOf(contenders);
      this.workloads = workloads;
    }

    private Builder(BenchSettings like) {
      contenders = like.contenders;
      workloads = like.workloads;
      rounds = like.rounds;
      burst = like.burst;
      warmups = like.warmups;
      budget = like.budget;
      jvmOptions = like.jvmOptions;
      hosts = like.hosts;
      data = like.data;
      python = like.python;
    }

    Builder what(List<? extends Participant> someContenders, List<Workload> someWorkloads) {
      contenders = List.copyOf(someContenders);
      workloads = someWorkloads;
      return this;
    }

    Builder rounds(int count) {
      rounds = count;
      return this;
    }

    Builder burst(Duration each) {
      burst = each;
      return this;
    }

    Builder warmups(int atMost) {
      warmups = atMost;
      return this;
    }

    Builder budget(Duration ofAll) {
      budget = ofAll;
      return this;
    }

    Builder jvmOptions(List<String> options) {
      jvmOptions = List.copyOf(options);
      return this;
    }

    Builder hosts(JvmHosts where) {
      hosts = where;
      return this;
    }

    Builder data(@Nullable ArrayData content) {
      data = content;
      return this;
    }

    Builder python(@Nullable String versions) {
      python = versions;
      return this;
    }

    BenchSettings build() {
      return new BenchSettings(
          contenders, workloads, rounds, burst, warmups, budget, jvmOptions, hosts, data, python);
    }
  }
}
