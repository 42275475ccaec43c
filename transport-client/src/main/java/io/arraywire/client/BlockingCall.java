package io.arraywire.client;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import java.time.Duration;

/** Makes one call on its caller's thread, over one connection or several in turn. */
final class BlockingCall {
  /** What is done over a connection. */
  @FunctionalInterface
  interface Step<T> {
    /**
     * Does it.
     *
     * @param left what is left of the call's time, more than zero
     */
    T over(Connection connection, Duration left) throws ArraywireException, InterruptedException;
  }

  private BlockingCall() {}

  static <T> T run(Endpoints endpoints, CallLimits limits, Step<T> step)
      throws ArraywireException, InterruptedException {
    int lost = 0;
    while (true) {
      endpoints.checkOpen();
      ChosenConnection chosen =
          endpoints.await(
              limits.order(),
              limits.until(endpoints.runtime()),
              limits.late(),
              limits.mayBeDone(lost));
      boolean served = false;
      try {
        T result =
            step.over(chosen.connection(), Deadline.left(endpoints.runtime(), limits.deadline()));
        served = true;
        return result;
      } catch (ArraywireException e) {
        if (RetryRule.isRefusal(e)) {
          chosen.retire();
        }
        if (endpoints.isClosed() || !limits.rule().goesOn(e, lost)) {
          throw e;
        }
        lost += RetryRule.isLoss(e) ? 1 : 0;
      } finally {
        chosen.end(served);
      }
    }
  }
}
