package io.arraywire.engine;

import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ElementType;
import io.arraywire.LeasedArray;
import io.arraywire.Receipt;
import io.arraywire.TargetMismatchException;

/** What every lease does in the same way: checks, and the views of each type. */
abstract class Lease implements LeasedArray {
  private final LeaseFacts facts;
  private boolean closed;

  Lease(LeaseFacts facts) {
    this.facts = facts;
  }

  @Override
  public ArrayHeader header() {
    return facts.header();
  }

  @Override
  public Receipt receipt() {
    return facts.receipt();
  }

  /** Checks that a view may be had. */
  final void check(ElementType asked, int segment) {
    checkOpen();
    if (asked != header().type().carrier()) {
      throw new IllegalStateException(
          "the array has another element type; call "
              + header().type().carrier().typeName()
              + "s(segment) (asked="
              + asked.typeName()
              + ", type="
              + header().type().typeName()
              + ")");
    }
    if (segment < 0 || segment >= segments()) {
      throw new IndexOutOfBoundsException(
          "no such segment (segment=" + segment + ", segments=" + segments() + ")");
    }
  }

  final void checkOpen() {
    if (closed) {
      throw new IllegalStateException("the lease is closed");
    }
  }

  @Override
  public void copyTo(ArraySlice target) throws TargetMismatchException {
    checkOpen();
    TargetChecks.checkFits(header(), target);
    copyElements(target);
  }

  /** Copies all elements into a slice that has room. */
  abstract void copyElements(ArraySlice target);

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      giveBack();
    }
  }

  abstract void giveBack();

  /** The calling thread has received it. */
  void handedOver() {}
}
