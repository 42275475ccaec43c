package io.arraywire;

/**
 * Memory for an array could not be had. For one that arrives its connection fails, and no other; of
 * one that is offered or published nothing is sent, and nothing fails.
 */
public final class AllocationFailedException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public AllocationFailedException(String text, Object... facts) {
    super(ErrorCode.ALLOCATION_FAILED, text, facts);
  }
}
