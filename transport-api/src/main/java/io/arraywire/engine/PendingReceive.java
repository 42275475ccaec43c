package io.arraywire.engine;

import io.arraywire.ArraySlice;
import io.arraywire.ArrivalNote;
import io.arraywire.TargetMismatchException;
import org.jspecify.annotations.Nullable;

/** A caller that waits for an array. Guarded by the connection's lock. */
final class PendingReceive {
  /** What the caller wants it in. */
  enum Kind {
    INTO,
    FRESH,
    LEASE
  }

  final Kind kind;
  @Nullable ArraySlice target;

  /** Where what is to be said of the array goes, if the caller has said. */
  @Nullable ArrivalNote note;

  /** The note, or a {@code ReceivedArray} or a {@code LeasedArray}. */
  final ReusableFuture<Object> result = new ReusableFuture<>();

  private PendingReceive(Kind kind, @Nullable ArraySlice target) {
    this.kind = kind;
    this.target = target;
  }

  static PendingReceive into(ArraySlice target) {
    return new PendingReceive(Kind.INTO, target);
  }

  static PendingReceive fresh() {
    return new PendingReceive(Kind.FRESH, null);
  }

  static PendingReceive lease() {
    return new PendingReceive(Kind.LEASE, null);
  }

  /** To be used again for a caller who has what it waited for. */
  void clear() {
    target = null;
    note = null;
    result.reset();
  }

  /** Fails this receive, and only it, if an array does not fit its target. */
  boolean fits(InboundArray array) {
    ArraySlice into = target;
    if (into == null || (array.type() == into.type() && array.count() <= into.length())) {
      return true;
    }
    try {
      TargetChecks.checkFits(array.header(), into);
      return true;
    } catch (TargetMismatchException e) {
      result.completeExceptionally(e);
      return false;
    }
  }

  /** What the caller gets. */
  Object given(InboundArray array) {
    return switch (kind) {
      case INTO -> {
        ArraySlice into = target;
        if (into == null) {
          throw new IllegalStateException("a receive without its target");
        }
        ArrivalNote told = note;
        if (told == null) {
          yield array.receivedIn(into);
        }
        array.receivedIn(into, told);
        yield told;
      }
      case FRESH -> array.received(array.sink.slice());
      case LEASE -> array.leased();
    };
  }
}
