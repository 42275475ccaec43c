package io.arraywire.chaos.delivery;

/**
 * One thing that went wrong.
 *
 * @param kind what
 * @param stream where
 * @param sequence the send's number
 * @param facts what else is known, as {@code name=value}; may be empty
 */
public record Violation(ViolationKind kind, DeliveryStream stream, long sequence, String facts) {
  @Override
  public String toString() {
    return "an array "
        + kind.words()
        + " (kind="
        + kind
        + ", "
        + stream
        + ", sequence="
        + sequence
        + (facts.isEmpty() ? "" : ", " + facts)
        + ")";
  }
}
