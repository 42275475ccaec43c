package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The two JVMs of a {@link Contender}. */
final class ContenderPair implements Pair {
  private final Contender contender;
  private final TwoJvms jvms;
  private final ChildJvm receiver;
  private final ChildJvm sender;

  private ContenderPair(Contender contender, TwoJvms jvms) {
    this.contender = contender;
    this.jvms = jvms;
    receiver = jvms.receiver();
    sender = jvms.sender();
  }

  static Pair start(Contender contender, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    return new ContenderPair(
        contender,
        Pair.jvms(
            ReceiverProcess.class,
            SenderProcess.class,
            settings,
            contender,
            log,
            settings.mostElements()));
  }

  @Override
  public void verify(Workload workload) throws IOException {
    receiver.ask("spoil");
    receiver.ask("serve", workload.count());
    end(workload, 0);
    if (contender.rounding() == null) {
      verifyBits(workload);
    } else {
      verifyRounded(workload);
    }
  }

  private void verifyRounded(Workload workload) throws IOException {
    String[] wrong = receiver.ask("compare", workload.count());
    if (!wrong[0].equals(ReceiverProcess.NONE_WRONG)) {
      throw new IOException(
          "an element arrived that is further off than the encoding allows (contender="
              + contender.name()
              + ", bytes="
              + workload.bytes()
              + ", index="
              + wrong[0]
              + ", sent="
              + wrong[1]
              + ", received="
              + wrong[2]
              + ", loss="
              + contender.loss()
              + ")");
    }
  }

  private void verifyBits(Workload workload) throws IOException {
    String sent = sender.ask("checksum", workload.count())[0];
    String received = receiver.ask("checksum", workload.count())[0];
    if (!sent.equals(received)) {
      throw new IOException(
          "what arrived is not what was sent (contender="
              + contender.name()
              + ", bytes="
              + workload.bytes()
              + ", sent="
              + sent
              + ", received="
              + received
              + ")");
    }
  }

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    Expense before = Expense.parse(receiver.ask("serve", workload.count()));
    String[] words =
        workload.pipelined()
            ? sender.ask("pipeline", workload.count(), workload.window(), duration.toMillis())
            : sender.ask("transfer", workload.count(), duration.toMillis());
    Burst burst = Burst.parse(words);
    Expense after = end(workload, burst.sent());
    // The receiver does not know which arrays count.
    return burst.withMore(burst.counted(after.minus(before)));
  }

  /**
   * Sends one more: the receiver may well sleep until something comes.
   *
   * @param sent how many were sent before
   * @return what the receiver has taken until it was told to stop
   */
  private Expense end(Workload workload, long sent) throws IOException {
    Expense expense = Expense.parse(receiver.ask("stop", sent + 1));
    sender.ask("last", workload.count());
    receiver.ask("stopped");
    return expense;
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
