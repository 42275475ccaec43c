package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.TargetMismatchException;

/** Refuses targets that an array does not fit into. Functions; any thread. */
final class TargetChecks {
  private TargetChecks() {}

  static void checkFits(ArrayHeader header, ArraySlice target) throws TargetMismatchException {
    checkType(header, target.type());
    if (header.count() > target.length()) {
      throw new TargetMismatchException(
          "the array has more elements than the target has room for; give a larger target",
          "count",
          header.count(),
          "room",
          target.length());
    }
  }

  static void checkType(ArrayHeader header, ElementType target) throws TargetMismatchException {
    if (header.type() != target) {
      throw new TargetMismatchException(
          "the array has another element type than the target; give a target of its type",
          "arrayType",
          header.type().typeName(),
          "targetType",
          target.typeName(),
          "count",
          header.count());
    }
  }

  /** Why an array is refused that no array can hold and for which the handler named no sink. */
  static ArraywireException needsSink(long count) {
    return ArraywireException.refusal(
        "the array has more elements than a Java array can hold; the receiver's handler must name a"
            + " sink for it",
        "count",
        count,
        "limit",
        ArrayDirect.MOST_ELEMENTS);
  }
}
