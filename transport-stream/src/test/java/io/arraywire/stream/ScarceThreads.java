package io.arraywire.stream;

/** Threads of which only the first few can be started. */
final class ScarceThreads implements Threads {
  private final Threads threads = Threads.platform();
  private int left;

  ScarceThreads(int left) {
    this.left = left;
  }

  @Override
  public Thread unstarted(String name, Runnable task) {
    Thread real = threads.unstarted(name, task);
    return new Thread(task, name) {
      @Override
      public void start() {
        synchronized (ScarceThreads.this) {
          if (left == 0) {
            // The JDK's own words.
            throw new OutOfMemoryError(
                "unable to create native thread: possibly out of memory or process/resource limits"
                    + " reached");
          }
          left--;
        }
        real.start();
      }
    };
  }

  synchronized void more(int threads) {
    left += threads;
  }
}
