package io.arraywire.benchmarks.network;

import java.io.IOException;

/** Threads that serve a connection and end with it. */
final class DaemonThread {

  /** What such a thread does. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException, InterruptedException;
  }

  private DaemonThread() {}

  /**
   * Starts one. An end of the connection ends it. An error, such as one of memory, ends the process
   * with a line, since a thread that waits for the bytes would wait for ever.
   */
  static Thread start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One end is gone, and the other sees it.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } catch (RuntimeException | Error e) {
                System.err.println("cannot go on (thread=" + name + ", cause=" + e + ")");
                Runtime.getRuntime().halt(1);
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }
}
