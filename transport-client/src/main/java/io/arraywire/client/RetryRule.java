package io.arraywire.client;

import io.arraywire.ConnectionClosedException;
import io.arraywire.ConnectionLostException;
import io.arraywire.ErrorCode;
import io.arraywire.RemoteErrorException;

/**
 * Which failures of a call over one connection let it go on over another one. Everything else is
 * the caller's.
 */
enum RetryRule {
  /** Only what the far side has certainly not taken. */
  NOT_TAKEN,
  /**
   * Also what broke with the connection. The far side has nothing of it: with all its bytes out,
   * the array would have failed with {@link io.arraywire.DeliveryUnknownException}.
   */
  BROKEN_OFF,
  /** Also what may have been done: doing it twice does no harm. */
  IDEMPOTENT;

  /** A request that ends every server it meets shall not meet many. */
  private static final int MOST_LOST = 2;

  /**
   * Whether a call goes on.
   *
   * @param lost how many connections have broken under it before
   */
  boolean goesOn(Throwable failure, int lost) {
    if (isRefusal(failure)) {
      return true;
    }
    return this != NOT_TAKEN && isLoss(failure) && lost < MOST_LOST;
  }

  /**
   * The connection was closed, and the peer did not take the call. If the peer may have taken it,
   * the failure is a {@link ConnectionLostException} for a request, and a {@link
   * io.arraywire.DeliveryUnknownException} for a send.
   */
  static boolean isRefusal(Throwable failure) {
    return failure instanceof ConnectionClosedException;
  }

  /** The connection broke, or the peer ended it with an error frame. */
  static boolean isLoss(Throwable failure) {
    return failure instanceof ConnectionLostException
        || failure instanceof RemoteErrorException
        || ErrorCode.TRUNCATED.isOf(failure);
  }
}
