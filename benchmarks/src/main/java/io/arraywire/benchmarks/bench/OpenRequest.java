package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A request whose thread sleeps until a library's thread has put the answer into its array. */
final class OpenRequest implements AnswerTarget {
  private final float[] answer;
  private final Thread asking = Thread.currentThread();
  private volatile boolean answered;
  private volatile @Nullable Throwable failure;

  /**
   * Makes a request whose answer the calling thread awaits.
   *
   * @param answer where the answer goes
   */
  OpenRequest(float[] answer) {
    this.answer = answer;
  }

  @Override
  public float[] answer() {
    return answer;
  }

  @Override
  public void answered() {
    answered = true;
    LockSupport.unpark(asking);
  }

  @Override
  public void fail(Throwable cause) {
    failure = cause;
    LockSupport.unpark(asking);
  }

  /** Waits for the answer. Only for the thread that made this. */
  void await() throws IOException {
    while (!answered) {
      Throwable failed = failure;
      if (failed != null) {
        throw new IOException("the connection failed", failed);
      }
      LockSupport.park(this);
    }
  }
}
