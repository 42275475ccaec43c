package io.arraywire.engine.tls;

import io.arraywire.engine.ArrayIo;
import io.arraywire.engine.Intake;
import io.arraywire.engine.Output;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.WireEnd;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection's part of a {@link TlsLayer}: what the transport drives. The thread that reads
 * unwraps, the one that writes wraps; see {@link TlsState} for what both share.
 */
final class TlsEnd implements WireEnd {
  private final TlsState state;
  private final WireEnd above;
  private final TlsInput input;
  private final TlsOutput output;
  private final AtomicInteger undisposed = new AtomicInteger(Direction.values().length);

  TlsEnd(TlsState state, WireEnd above) {
    this.state = state;
    this.above = above;
    input = new TlsInput(state, above);
    output = new TlsOutput(state, above);
  }

  /**
   * Begins the TLS handshake. The handshake of Arraywire above it begins, too, and both must be
   * over by one deadline. Plain mode has no handshake of its own: a connection is open once that of
   * TLS is over.
   */
  @Override
  public void start() {
    state.startDeadline();
    if (!state.plain) {
      above.start();
    }
    try {
      state.engine.beginHandshake();
    } catch (SSLException | RuntimeException e) {
      state.fail(TlsErrors.of(e, false, state.peer()));
    }
    state.below.wakeWriter();
  }

  @Override
  public void plan(ReadPlan plan) {
    if (input.isOfStranger()) {
      plan.ofStranger(TlsInput.OF_STRANGER);
    } else {
      plan.intoWindow(Integer.MAX_VALUE, 0, input.isInsideArray());
    }
  }

  @Override
  public Intake input(ByteBuffer bytes, boolean fresh) {
    try {
      return input.take(bytes, fresh);
    } catch (SSLException | RuntimeException e) {
      state.fail(TlsErrors.of(e, state.isEstablished(), state.peer()));
      // An alert may have to be written.
      state.below.wakeWriter();
      bytes.position(bytes.limit());
      return Intake.CONTROL;
    }
  }

  @Override
  public void filled(ByteBuffer space, int bytes) {
    throw new IllegalStateException("TLS lends no space");
  }

  @Override
  public long inputArray(ArrayIo io, int atMost) {
    throw new IllegalStateException("no array passes by TLS");
  }

  @Override
  public boolean inputEnded() {
    return input.ended();
  }

  @Override
  public @Nullable Output output() {
    try {
      return output.next();
    } catch (SSLException | RuntimeException e) {
      state.fail(TlsErrors.of(e, state.isEstablished(), state.peer()));
      // To be asked again, for the alert.
      state.below.wakeWriter();
      return null;
    }
  }

  @Override
  public boolean wrote(long bytes) {
    return output.wrote(bytes);
  }

  @Override
  public void disposed(Direction direction) {
    if (direction == Direction.INPUT) {
      input.release();
    } else {
      output.release();
    }
    above.disposed(direction);
    if (undisposed.decrementAndGet() == 0) {
      closeEngine();
    }
  }

  /** Providers that hold native memory give it back when both directions are closed. */
  private void closeEngine() {
    state.engine.closeOutbound();
    try {
      state.engine.closeInbound();
    } catch (SSLException e) {
      // Thrown without a close_notify of the peer, which was noticed when the input ended.
    }
  }

  @Override
  public void failed(Throwable thrown) {
    state.failedBelow(thrown);
  }
}
