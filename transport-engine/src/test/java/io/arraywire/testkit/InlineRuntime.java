package io.arraywire.testkit;

import java.util.concurrent.Executor;

/** That of the JVM, but what would have a thread of its own is a task of the test's. */
final class InlineRuntime extends ForwardingRuntime {
  private final Executor tasks;

  InlineRuntime(Executor tasks) {
    this.tasks = tasks;
  }

  @Override
  public Runnable start(String name, Runnable task) {
    tasks.execute(task);
    return () -> {};
  }
}
