package io.arraywire.engine;

/**
 * The end of a connection where a codec may decode that goes element by element. Such a codec is
 * there to be compared. So the end reads one element at a time, too.
 */
final class ElementwiseEnd extends FramedEnd {
  ElementwiseEnd(ConnectionCore core) {
    super(core);
  }

  @Override
  int readLimit() {
    return ReadLimit.ofElementwise(core.inbound);
  }
}
