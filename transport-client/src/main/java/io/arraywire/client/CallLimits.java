package io.arraywire.client;

import io.arraywire.ErrorCode;

/**
 * What a call keeps to, over however many connections it goes.
 *
 * @param order where it looks for a connection
 * @param rule which failures let it go on
 * @param deadline when it gives up, by the runtime's clock
 * @param late the code of its failure then
 */
record CallLimits(AddressOrder order, RetryRule rule, long deadline, ErrorCode late) {}
