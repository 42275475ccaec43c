package io.arraywire.chaos.delivery;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What a {@link DeliveryChecker} found. Immutable.
 *
 * <p>{@link #toString()} has it all. A line has the totals, and another one the number of
 * violations of each kind. Further lines have the first violations of each kind.
 */
public final class DeliveryVerdict {
  private final DeliveryTotals totals;
  private final Map<ViolationKind, Long> counts;
  private final List<Violation> violations;

  DeliveryVerdict(
      DeliveryTotals totals, Map<ViolationKind, Long> counts, List<Violation> violations) {
    this.totals = totals;
    this.counts = new EnumMap<>(counts);
    this.violations = List.copyOf(violations);
  }

  /**
   * Whether everything was as promised.
   *
   * @return true if there is no violation
   */
  public boolean holds() {
    return counts.isEmpty();
  }

  /**
   * How much the verdict is about. A run without sends has no violations: check that enough was
   * sent.
   *
   * @return the totals
   */
  public DeliveryTotals totals() {
    return totals;
  }

  /**
   * How many violations of a kind there are, listed or not.
   *
   * @param kind the kind
   * @return 0 or more
   */
  public long count(ViolationKind kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /**
   * The first violations of each kind, at most {@link DeliveryChecker#LISTED} of each.
   *
   * @return an unmodifiable list
   */
  public List<Violation> violations() {
    return violations;
  }

  /**
   * Does nothing if the verdict holds.
   *
   * @return this
   * @throws AssertionError with {@link #toString()} if it does not
   */
  public DeliveryVerdict assertHolds() {
    if (!holds()) {
      throw new AssertionError(toString());
    }
    return this;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("deliveries (").append(totals).append(')');
    if (holds()) {
      return text.append(": everything as promised").toString();
    }
    text.append(": violations ").append(counts);
    for (Violation violation : violations) {
      text.append(System.lineSeparator()).append("  ").append(violation);
    }
    return text.toString();
  }
}
