package io.arraywire.benchmarks.receipts;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The two JVMs of a path, connected. Not for use by several threads. */
final class RoutePair implements AutoCloseable {
  private static final long HEAP_BYTES = 512L << 20;

  /** What would make the figures differ from run to run, and is not what they are about. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          // The first compiler alone: soon done, and it makes every object that the code asks for.
          // Which of them the second one leaves out depends on what it has seen by then.
          "-XX:TieredStopAtLevel=1",
          // When it is due, and not when a processor is free.
          "-Xbatch",
          "-XX:+UseSerialGC",
          // The clock does not count.
          "-XX:-AlwaysPreTouch",
          // Samples at random.
          "-Dio.netty.leakDetection.level=disabled");

  /** Arrays before the first that counts, of each way: then the compiler has been there. */
  private static final int WARM_UP_ROUNDS = 4;

  private static final int MOST_ROUNDS = 20;

  /** Of arrays so large a few rounds must do. */
  private static final int MANY_ELEMENTS = 1 << 20;

  /** A figure is the least of the rounds once so many have not made it lower. */
  private static final int CALM_ROUNDS = 3;

  private final Route route;
  private final TwoJvms jvms;
  private final ChildJvm receiver;
  private final ChildJvm sender;

  private RoutePair(Route route, TwoJvms jvms) {
    this.route = route;
    this.jvms = jvms;
    receiver = jvms.receiver();
    sender = jvms.sender();
  }

  /** Starts both and connects them. */
  static RoutePair start(Route route, PrintStream log) throws IOException {
    TwoJvms jvms =
        TwoJvms.start(
            route.name(),
            ReceivingProcess.class,
            SendingProcess.class,
            HEAP_BYTES,
            JVM_OPTIONS,
            log,
            (receiver, sender) -> {
              String[] ports = receiver.ask("listen", route.name());
              receiver.tell("accept");
              sender.ask("connect", route.name(), ports[0], ports[1]);
              receiver.answer();
            });
    return new RoutePair(route, jvms);
  }

  /**
   * Measures every way and size.
   *
   * @param enough whether further rounds can be left out: of a row whose figures they could only
   *     lower
   */
  List<ReceiptRow> measure(Predicate<ReceiptRow> enough) throws IOException {
    List<ReceiptRow> rows = new ArrayList<>();
    for (Way way : route.ways()) {
      Workload least = route.workloads().get(0);
      for (int i = 0; i < WARM_UP_ROUNDS; i++) {
        round(SendingProcess.UNOBSERVED, way, least);
      }
      for (Workload workload : route.workloads(way)) {
        rows.add(row(way, workload, enough));
      }
    }
    return rows;
  }

  private ReceiptRow row(Way way, Workload workload, Predicate<ReceiptRow> enough)
      throws IOException {
    if (way != Way.OFFER) {
      Round least =
          leastOfRounds(
              SendingProcess.UNOBSERVED,
              way,
              workload,
              round -> enough.test(row(way, workload, round.sent(), round.received())));
      return checked(row(way, workload, least.sent(), least.received()));
    }
    // Nothing is heard of what was offered but by an observer, and to be observed costs memory.
    Round least =
        leastOfRounds(
            SendingProcess.UNOBSERVED,
            way,
            workload,
            round ->
                enough.test(
                    row(
                        way,
                        workload,
                        new Cost(0, 0, round.sent().allocated()),
                        round.received())));
    double allocated = least.sent().allocated();
    Round seen =
        leastOfRounds(
            SendingProcess.OBSERVED,
            way,
            workload,
            round -> enough.test(row(way, workload, seen(round, allocated), least.received())));
    return checked(row(way, workload, seen(seen, allocated), least.received()));
  }

  private static Cost seen(Round observed, double allocated) {
    return new Cost(observed.sent().copies(), observed.sent().operations(), allocated);
  }

  private ReceiptRow row(Way way, Workload workload, Cost sent, Cost received) {
    return new ReceiptRow(
        route.name(), way.label, workload.elements(), ReceiptRow.thisJdk(), sent, received);
  }

  private ReceiptRow checked(ReceiptRow row) throws IOException {
    receiver.ask("check", row.elements());
    return row;
  }

  private Round leastOfRounds(int which, Way way, Workload workload, Predicate<Round> enough)
      throws IOException {
    Round least = round(which, way, workload);
    int calm = 0;
    int most = workload.elements() < MANY_ELEMENTS ? MOST_ROUNDS : CALM_ROUNDS + 1;
    for (int i = 1; i < most && calm < CALM_ROUNDS; i++) {
      if (i > CALM_ROUNDS && enough.test(least)) {
        break;
      }
      Round next = least.least(round(which, way, workload));
      calm = next.equals(least) ? calm + 1 : 0;
      least = next;
    }
    return least;
  }

  private Round round(int which, Way way, Workload workload) throws IOException {
    int elements = workload.elements();
    receiver.tell("round", which, elements, workload.burst(), workload.bursts());
    sender.tell("round", which, way.label, elements, workload.burst(), workload.bursts());
    Cost sent = Cost.parse(sender.answer(), elements, workload.arrays());
    return new Round(sent, Cost.parse(receiver.answer(), elements, workload.arrays()));
  }

  /** What an array cost either side in a round. */
  private record Round(Cost sent, Cost received) {
    Round least(Round other) {
      return new Round(sent.least(other.sent), received.least(other.received));
    }
  }

  @Override
  public void close() {
    jvms.close();
  }
}
