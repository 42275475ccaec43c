package io.arraywire.client;

import io.arraywire.ErrorCode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a call keeps to, over however many connections it goes.
 *
 * @param order where it looks for a connection
 * @param rule which failures let it go on
 * @param deadline when it gives up, by the runtime's clock
 * @param patience how long it waits for each connection, if it has no deadline of its own
 * @param late the code of its failure then
 */
record CallLimits(
    AddressOrder order,
    RetryRule rule,
    long deadline,
    @Nullable Duration patience,
    ErrorCode late) {

  /** When it no longer waits for the connection that it looks for now. */
  long until(ClientRuntime runtime) {
    return patience == null ? deadline : Deadline.after(runtime, patience);
  }

  /** Whether a server may have done what a call asks for that lost so many connections. */
  boolean mayBeDone(int lost) {
    return lost > 0 && rule == RetryRule.IDEMPOTENT;
  }
}
