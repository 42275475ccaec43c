package io.arraywire.engine;

import io.arraywire.ArrayInfo;
import io.arraywire.ArrayInput;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.LeasedArray;
import io.arraywire.ReceivedArray;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The receive calls of a channel or a subscription, which take from its inbox. Any thread. */
abstract class ReceivingEnd implements ArrayInput {
  final Inbox inbox;

  ReceivingEnd(Inbox inbox) {
    this.inbox = inbox;
  }

  @Override
  public @Nullable ReceivedArray receive(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (ReceivedArray)
        ReceiveCalls.take(
            inbox.toReceiveFrom(), PendingReceive.Kind.FRESH, SystemDeadlines.nanosOf(timeout));
  }

  @Override
  public boolean receiveInto(ArraySlice target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException {
    return ReceiveCalls.takeInto(
        inbox.toReceiveFrom(), target, info, SystemDeadlines.nanosOf(timeout));
  }

  @Override
  public @Nullable LeasedArray receiveLeased(Duration timeout)
      throws ArraywireException, InterruptedException {
    return (LeasedArray)
        ReceiveCalls.take(
            inbox.toReceiveFrom(), PendingReceive.Kind.LEASE, SystemDeadlines.nanosOf(timeout));
  }
}
