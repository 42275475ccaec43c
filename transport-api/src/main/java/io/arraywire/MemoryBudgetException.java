package io.arraywire;

/**
 * A connection could not be made because those that there are hold all that they may, or one was
 * ended that holds more than there is memory for. The text says what was needed; see {@link
 * TransportOptions#memoryBudgetBytes()}.
 */
public final class MemoryBudgetException extends ArraywireException {
  private static final long serialVersionUID = 1;

  /**
   * Makes a failure.
   *
   * @param text what happened and what to do, without the facts
   * @param facts names and values in turn
   */
  public MemoryBudgetException(String text, Object... facts) {
    super(ErrorCode.MEMORY_BUDGET, text, facts);
  }
}
