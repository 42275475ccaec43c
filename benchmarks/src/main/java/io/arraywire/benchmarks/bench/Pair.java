package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The two JVMs of a contender, connected, and idle except during {@link #burst}. Not for use by
 * several threads.
 */
final class Pair implements AutoCloseable {
  private final Contender contender;
  private final ChildJvm receiver;
  private final ChildJvm sender;

  private Pair(Contender contender, ChildJvm receiver, ChildJvm sender) {
    this.contender = contender;
    this.receiver = receiver;
    this.sender = sender;
  }

  /** Starts both and connects them. */
  static Pair start(Contender contender, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    String name = contender.name();
    int most = settings.mostElements();
    ChildJvm receiver = child(name + " receiver", ReceiverProcess.class, settings, log);
    ChildJvm sender = null;
    try {
      sender = child(name + " sender", SenderProcess.class, settings, log);
      String port = receiver.ask("listen", name, most)[0];
      sender.ask("connect", name, most, port);
      return new Pair(contender, receiver, sender);
    } catch (IOException | RuntimeException | Error e) {
      receiver.close();
      if (sender != null) {
        sender.close();
      }
      throw e;
    }
  }

  private static ChildJvm child(
      String name, Class<?> main, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    return ChildJvm.start(name, main, settings.heapBytes(), settings.jvmOptions(), log);
  }

  /** Sends one array and sees that every bit of it arrives. */
  void verify(Workload workload) throws IOException {
    receiver.ask("spoil");
    receiver.ask("serve", workload.count());
    end(workload, 0);
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

  /** Works for that long. */
  Burst burst(Workload workload, Duration duration) throws IOException {
    long cpuBefore = Long.parseLong(receiver.ask("serve", workload.count())[0]);
    String[] words =
        workload.pipelined()
            ? sender.ask("pipeline", workload.count(), workload.window(), duration.toMillis())
            : sender.ask("transfer", workload.count(), duration.toMillis());
    long cpuAfter = Long.parseLong(end(workload, Long.parseLong(words[0])));
    return Burst.parse(words, cpuAfter - cpuBefore);
  }

  /**
   * Sends one more: the receiver may well sleep until something comes.
   *
   * @param sent how many were sent before
   * @return what the receiver says to stop
   */
  private String end(Workload workload, long sent) throws IOException {
    String cpu = receiver.ask("stop", sent + 1)[0];
    sender.ask("last", workload.count());
    receiver.ask("stopped");
    return cpu;
  }

  @Override
  public void close() {
    sender.close();
    receiver.close();
  }
}
