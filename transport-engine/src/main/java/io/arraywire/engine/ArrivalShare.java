package io.arraywire.engine;

/** What the arrays of one connection have taken of an {@link ArrivalBudget}. */
final class ArrivalShare {
  final ArrivalBudget budget;

  /** Guarded by the budget. */
  long held;

  ArrivalShare(ArrivalBudget budget) {
    this.budget = budget;
  }
}
