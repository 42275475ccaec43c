package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.TargetMismatchException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A caller that waits for an array. Guarded by the connection's lock. */
final class Claim {
  /** What the caller wants it in. */
  enum Kind {
    INTO,
    FRESH,
    LEASE
  }

  final Kind kind;
  final @Nullable ArraySlice target;

  /** A {@code ReceivedArray} or a {@code LeasedArray}. */
  final CompletableFuture<Object> result = new CompletableFuture<>();

  private Claim(Kind kind, @Nullable ArraySlice target) {
    this.kind = kind;
    this.target = target;
  }

  static Claim into(ArraySlice target) {
    return new Claim(Kind.INTO, target);
  }

  static Claim fresh() {
    return new Claim(Kind.FRESH, null);
  }

  static Claim lease() {
    return new Claim(Kind.LEASE, null);
  }

  /** Fails this claim, and only it, if an array does not fit its target. */
  boolean fits(ArrayHeader header) {
    if (target == null) {
      return true;
    }
    try {
      checkFits(header, target);
      return true;
    } catch (TargetMismatchException e) {
      result.completeExceptionally(e);
      return false;
    }
  }

  static void checkFits(ArrayHeader header, ArraySlice target) throws TargetMismatchException {
    if (header.type() != target.type()) {
      throw new TargetMismatchException(
          "the array has another element type than the target; it can still be received",
          "arrayType",
          header.type().javaName(),
          "targetType",
          target.type().javaName(),
          "count",
          header.count());
    }
    if (header.count() > target.length()) {
      throw new TargetMismatchException(
          "the array has more elements than the target has room for; it can still be received",
          "count",
          header.count(),
          "room",
          target.length());
    }
  }
}
