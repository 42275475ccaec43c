package io.arraywire.engine;

import java.util.ArrayList;
import java.util.List;

/**
 * Gives up arrays whose sources could not be read while frames of them were made. The peer has been
 * sent ABORT in place of such a frame, and the sender learns why. The writing thread's.
 */
final class BrokenSources {
  private BrokenSources() {}

  /** Gives up what broke off in the round of a plan that was just made. */
  static void giveUp(
      OutboundScope scope,
      SendQueue queue,
      SendCredit credit,
      Acknowledgements acknowledgements,
      BatchPlan plan) {
    if (!plan.brokeOff) {
      return;
    }
    plan.brokeOff = false;
    List<OutboundArray> broken = new ArrayList<>(1);
    scope.lock().lock();
    try {
      for (int i = plan.round(); i < plan.size(); i++) {
        PlannedFrame part = plan.get(i);
        OutboundArray array = part.array;
        if (array == null || array.sourceFailure == null) {
          continue;
        }
        // The peer counts what it is sent.
        credit.charge(array.channel, -part.dropped);
        part.last = false;
        if (!broken.contains(array)) {
          broken.add(array);
        }
      }
      for (OutboundArray array : broken) {
        var unused = array.withdraw();
        if (array.framed) {
          queue.written(array);
          acknowledgements.brokeOff(array);
        } else if (array.equals(array.channel.queue.peek())) {
          // Otherwise the connection has failed meanwhile.
          queue.giveUpFirst(array.channel);
        }
      }
    } finally {
      scope.lock().unlock();
    }
    for (OutboundArray array : broken) {
      SourceFailure failure = array.sourceFailure;
      if (failure != null) {
        array.fail(scope.context().completions(), failure.typed());
      }
    }
  }
}
