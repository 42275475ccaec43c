package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Takes part without JVMs: is its own pair, sends nothing and takes nothing. */
class PairWithoutJvms implements Participant, Pair {
  private final String name;

  PairWithoutJvms(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String summary() {
    return name;
  }

  @Override
  public Pair start(BenchSettings settings, @Nullable PrintStream log) {
    return this;
  }

  @Override
  public void verify(Workload workload) {
    // Nothing is sent.
  }

  @Override
  public Burst burst(Workload workload, Duration duration) throws IOException {
    throw new AssertionError("nothing is to be sent");
  }

  @Override
  public Expense expense() {
    return Expense.NONE;
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
