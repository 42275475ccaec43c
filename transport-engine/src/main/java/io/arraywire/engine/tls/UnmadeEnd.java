package io.arraywire.engine.tls;

import io.arraywire.ArraywireException;
import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The end of a connection for which there is no TLS engine: it fails at once and moves nothing. */
final class UnmadeEnd implements WireEnd {
  private final WireEnd above;
  private final ArraywireException failure;

  UnmadeEnd(WireEnd above, ArraywireException failure) {
    this.above = above;
    this.failure = failure;
  }

  @Override
  public void start() {
    above.failed(failure);
  }

  @Override
  public void plan(ReadPlan plan) {
    plan.intoWindow(Integer.MAX_VALUE, 0, false);
  }

  @Override
  public Intake input(ByteBuffer bytes, boolean fresh) {
    bytes.position(bytes.limit());
    return Intake.CONTROL;
  }

  @Override
  public void filled(ByteBuffer space, int bytes) {
    throw new IllegalStateException("no space was lent");
  }

  @Override
  public long inputArray(ArrayIo io, int atMost) {
    throw new IllegalStateException("no array was planned");
  }

  @Override
  public boolean inputEnded() {
    return true;
  }

  @Override
  public @Nullable Output output() {
    return null;
  }

  @Override
  public boolean wrote(long bytes) {
    return true;
  }

  @Override
  public void disposed(Direction direction) {
    above.disposed(direction);
  }

  @Override
  public void failed(Throwable thrown) {
    above.failed(thrown);
  }
}
