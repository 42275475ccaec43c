package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.TwoJvms;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The two JVMs of a {@link ConnectionsContender}. */
final class ConnectionsPair implements Pair {
  private final ConnectionsContender contender;
  private final TwoJvms jvms;
  private long sent;

  private ConnectionsPair(ConnectionsContender contender, TwoJvms jvms) {
    this.contender = contender;
    this.jvms = jvms;
  }

  static Pair start(
      ConnectionsContender contender, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    return new ConnectionsPair(
        contender,
        Pair.jvms(
            ConnectionsReceiverProcess.class,
            ConnectionsSenderProcess.class,
            settings,
            contender,
            log,
            settings.mostElements(),
            settings.connections()));
  }

  @Override
  public void verify(Workload workload) throws IOException {
    jvms.receiver().ask("spoil");
    burst(workload, Duration.ZERO);
    String[] is = jvms.receiver().ask("checksums", workload.count());
    String[] should = jvms.sender().ask("checksums", workload.count());
    if (!Arrays.equals(is, should)) {
      throw new IOException(
          "what arrived is not what was sent (contender="
              + contender.name()
              + ", connections="
              + workload.connections()
              + ", bytes="
              + workload.bytes()
              + ")");
    }
  }

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    Expense before = Pair.expense(jvms.receiver());
    String[] words = jvms.sender().ask("transfer", workload.count(), duration.toMillis());
    Burst burst = Burst.parse(words).withMore(Pair.expense(jvms.receiver()).minus(before));
    sent += burst.sent();
    long received = Long.parseLong(jvms.receiver().ask("await", sent)[0]);
    if (received != sent) {
      throw new IOException(
          "more arrived than was sent (contender="
              + contender.name()
              + ", sent="
              + sent
              + ", received="
              + received
              + ")");
    }
    // Both counted from the first array that was sent to the last.
    return burst.withExpenseOfCounted();
  }

  @Override
  public Expense expense() throws IOException {
    return Pair.expense(jvms);
  }

  @Override
  public void close() {
    jvms.close();
  }
}
