package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The two JVMs of a participant, connected, and idle except during {@link #burst}. Not for use by
 * several threads.
 */
interface Pair extends AutoCloseable {

  /**
   * Starts the JVMs of a participant and connects them.
   *
   * @param receiverMain serves {@code listen WORDS}, which answers with a port
   * @param senderMain serves {@code connect WORDS PORT}
   * @param settings say what the JVMs are like
   * @param participant whose they are
   * @param log where their standard error goes, or null for nowhere
   * @param more what both are told beside the participant's name
   */
  static TwoJvms jvms(
      Class<?> receiverMain,
      Class<?> senderMain,
      BenchSettings settings,
      Participant participant,
      @Nullable PrintStream log,
      Object... more)
      throws IOException {
    Object[] words = command(participant.name(), more);
    List<String> allOptions = new ArrayList<>(participant.jvmOptions());
    allOptions.addAll(settings.allJvmOptions());
    return settings
        .hosts()
        .start(
            participant.name(),
            receiverMain,
            senderMain,
            settings.heapBytes(participant),
            allOptions,
            log,
            (receiver, sender, way) -> {
              String port = receiver.ask(command("listen", words))[0];
              sender.ask(command("connect", words, way.through(port)));
            });
  }

  private static Object[] command(String name, Object[] words, Object... more) {
    return Stream.of(Stream.of(name), Arrays.stream(words), Arrays.stream(more))
        .flatMap(each -> each)
        .toArray();
  }

  /** What both JVMs have taken since they began. */
  Expense expense() throws IOException;

  /** Asks both, which serve {@code expense}. */
  static Expense expense(TwoJvms jvms) throws IOException {
    return expense(jvms.receiver()).plus(expense(jvms.sender()));
  }

  /** Asks one that serves {@code expense}. */
  static Expense expense(ChildJvm jvm) throws IOException {
    return Expense.parse(jvm.ask("expense"));
  }

  /**
   * Sends arrays and sees that every bit of them arrives, but for what a contender says it loses.
   */
  void verify(Workload workload) throws IOException;

  /** Works for that long. */
  Burst burst(Workload workload, Duration duration) throws IOException;

  @Override
  void close();
}
