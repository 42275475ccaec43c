package io.arraywire.benchmarks.network;

/**
 * Removes what a run has made, once: when it is closed or, before that, when the process is told to
 * end, with Ctrl-C or SIGTERM. Any thread.
 */
final class Cleanup implements AutoCloseable {
  private final Runnable work;
  private final Thread hook;
  private boolean done;

  /**
   * Registers what is to be done. What goes on meanwhile in other threads, which do not end with
   * Ctrl-C, must not make anything that is left then.
   *
   * @param name of the thread that does it if the process ends
   * @param work does it
   */
  Cleanup(String name, Runnable work) {
    this.work = work;
    hook = new Thread(this::runOnce, name);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private synchronized void runOnce() {
    if (!done) {
      done = true;
      work.run();
    }
  }

  /** Does it now, unless it was done; if the process is ending, waits until it is done. */
  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook runs.
    }
    runOnce();
  }
}
