package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The JVM and the process of Python of a {@link PythonContender}. */
final class PythonPair implements Pair {
  private final PythonContender contender;
  private final ChildJvm jvm;
  private final ChildJvm python;

  private PythonPair(PythonContender contender, ChildJvm jvm, ChildJvm python) {
    this.contender = contender;
    this.jvm = jvm;
    this.python = python;
  }

  static Pair start(PythonContender contender, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    List<String> options = new ArrayList<>(contender.jvmOptions());
    options.addAll(settings.allJvmOptions());
    String name = contender.name();
    int most = settings.mostElements();
    ChildJvm jvm =
        ChildJvm.start(
            name + " JVM", MirrorProcess.class, settings.heapBytes(contender), options, log);
    ChildJvm python = null;
    try {
      String ports = jvm.ask("listen", name, most)[0];
      python = ChildJvm.of(name + " Python", PythonInterpreter.here().start(), log);
      PythonPair pair = new PythonPair(contender, jvm, python);
      pair.askPython("connect", name, most, ports);
      return pair;
    } catch (IOException | RuntimeException | Error e) {
      jvm.close();
      if (python != null) {
        python.close();
      }
      throw e;
    }
  }

  /** Asks Python. If it fails because the JVM is gone, it says that the JVM is. */
  private String[] askPython(Object... words) throws IOException {
    try {
      return python.ask(words);
    } catch (IOException e) {
      try {
        Pair.expense(jvm);
      } catch (IOException gone) {
        gone.addSuppressed(e);
        throw gone;
      }
      throw e;
    }
  }

  /** Checks that the JVM has the bits that Python sent, and that Python gets the same back. */
  @Override
  public void verify(Workload workload) throws IOException {
    jvm.ask("spoil");
    jvm.ask("expect", workload.count());
    String[] checksums = askPython("once", workload.count());
    String there = jvm.ask("checksum", workload.count())[0];
    if (!checksums[0].equals(there) || !checksums[0].equals(checksums[1])) {
      throw new IOException(
          "what arrived is not what was sent (contender="
              + contender.name()
              + ", bytes="
              + workload.bytes()
              + ", sent="
              + checksums[0]
              + ", JVM="
              + there
              + ", back="
              + checksums[1]
              + ")");
    }
  }

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    jvm.ask("expect", workload.count());
    Expense before = Pair.expense(jvm);
    Burst burst = burst(askPython("burst", workload.count(), duration.toMillis()));
    // The JVM does not know which arrays count.
    return burst.withMore(burst.counted(Pair.expense(jvm).minus(before)));
  }

  /** Of the words SENT, ARRAYS, NANOS, CPU, TIMES. What Python allocates is not known. */
  private static Burst burst(String[] words) {
    Histogram times = Burst.emptyTimes();
    for (String each : words[4].split(" ", -1)) {
      times.recordValue(Long.parseLong(each));
    }
    return new Burst(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Long.parseLong(words[2]),
        new Expense(Long.parseLong(words[3]), 0),
        times);
  }

  @Override
  public Expense expense() throws IOException {
    return Pair.expense(jvm).plus(Pair.expense(python));
  }

  @Override
  public void close() {
    python.close();
    jvm.close();
  }
}
