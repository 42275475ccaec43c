package io.arraywire.chaos.delivery;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts all, keeps the first few of each kind. */
final class Violations {
  private final int keep;
  private final Map<ViolationKind, Long> counts = new EnumMap<>(ViolationKind.class);
  private final List<Violation> kept = new ArrayList<>();

  Violations(int keep) {
    this.keep = keep;
  }

  Violations copy() {
    Violations copy = new Violations(keep);
    copy.counts.putAll(counts);
    copy.kept.addAll(kept);
    return copy;
  }

  void add(ViolationKind kind, DeliveryStream stream, long sequence, String facts) {
    if (counts.merge(kind, 1L, Long::sum) <= keep) {
      kept.add(new Violation(kind, stream, sequence, facts));
    }
  }

  DeliveryVerdict verdict(DeliveryTotals totals) {
    return new DeliveryVerdict(totals, counts, kept);
  }
}
