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

  static void start(String name, Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                // One end is gone, and the other sees it.
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            name);
    thread.setDaemon(true);
    thread.start();
  }
}
