package io.arraywire.examples.cli;

/**
 * Runs a task when the process is told to end, with Ctrl-C or otherwise, unless it is closed
 * before.
 */
public final class ExitHook {
  private final Thread thread;

  /**
   * Registers a task.
   *
   * @param task runs in a thread of its own while the process ends; must be quick
   */
  public ExitHook(Runnable task) {
    thread = new Thread(task, "exit");
    Runtime.getRuntime().addShutdownHook(thread);
  }

  /** Forgets the task. */
  public void cancel() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The process is ending: the hook runs.
    }
  }
}
