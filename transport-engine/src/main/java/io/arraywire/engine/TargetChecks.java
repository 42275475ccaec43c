package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.TargetMismatchException;

/** Refuses targets that an array does not fit into. Functions; any thread. */
final class TargetChecks {
  private TargetChecks() {}

  static void checkFits(ArrayHeader header, ArraySlice target) throws TargetMismatchException {
    if (header.type() != target.type()) {
      throw new TargetMismatchException(
          "the array has another element type than the target; give a target of its type",
          "arrayType",
          header.type().typeName(),
          "targetType",
          target.type().typeName(),
          "count",
          header.count());
    }
    if (header.count() > target.length()) {
      throw new TargetMismatchException(
          "the array has more elements than the target has room for; give a larger target",
          "count",
          header.count(),
          "room",
          target.length());
    }
  }
}
