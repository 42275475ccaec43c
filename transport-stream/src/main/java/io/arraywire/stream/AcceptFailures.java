package io.arraywire.stream;

import io.arraywire.engine.AcceptPauses;
import java.net.SocketAddress;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Has the thread that accepts rest while it cannot. One thread. */
final class AcceptFailures {
  private final AcceptPauses pauses;

  AcceptFailures(SocketAddress address) {
    pauses = Log.acceptPauses(address);
  }

  /** A peer was accepted. */
  void over() {
    pauses.over();
  }

  /** Waits a while, or until the listener is closed. */
  void backOff(Throwable cause, CountDownLatch closed) {
    pauses.complain(cause);
    try {
      var unused = closed.await(pauses.next().toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      // Nobody should interrupt this thread; then it just waits less.
    }
  }
}
