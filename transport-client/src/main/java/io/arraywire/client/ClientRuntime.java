package io.arraywire.client;

/** What a client takes from the JVM, so that a test can move time. Any thread. */
interface ClientRuntime {

  /** Nanoseconds that only differences of mean something. */
  long nanoTime();

  /**
   * Runs a task later, on a thread that may block.
   *
   * @param nanos how much later; zero or less for as soon as possible
   * @return cancels the task if it has not begun
   */
  Runnable after(long nanos, Runnable task);

  /**
   * Runs a task now, on a thread that may block; soon, if the process can have no thread now.
   *
   * @throws OutOfMemoryError if it can have none for the timer either; the task does not run
   */
  void execute(Runnable task);

  /** A random number that is not negative and below a bound of at least 1. */
  long below(long bound);
}
