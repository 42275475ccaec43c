package io.arraywire.engine;

import io.arraywire.ArraywireException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The end of a connection that takes and gives frames: what is driven from below. */
class FramedEnd implements WireEnd {
  final ConnectionCore core;

  FramedEnd(ConnectionCore core) {
    this.core = core;
  }

  @Override
  public void start() {
    core.start();
  }

  // The reading thread.

  @Override
  public void plan(ReadPlan plan) {
    int arrayBytes = core.inbound.arrayBytes();
    if (arrayBytes > 0) {
      plan.intoArray(arrayBytes);
      return;
    }
    ByteBuffer space = directSpace();
    if (space == null && ReadLimit.isOfStranger(core.inbound)) {
      plan.ofStranger(ReadLimit.OF_STRANGER);
    } else if (space == null) {
      plan.intoWindow(readLimit(), core.inbound.payloadRemaining(), core.inbound.isInsideArray());
    } else {
      plan.intoSpace(space, readLimit(), core.inbound.payloadRemaining());
    }
  }

  /** How far the next read should go. */
  int readLimit() {
    return ReadLimit.of(core.inbound);
  }

  private @Nullable ByteBuffer directSpace() {
    try {
      return core.inbound.directSpace();
    } catch (RuntimeException | Error e) {
      inputFailed(e);
      return null;
    }
  }

  @Override
  public Intake input(ByteBuffer bytes, boolean fresh) {
    if (take(bytes, fresh) || (core.inbound.hasTakenMany() && takeMany(bytes))) {
      return core.inbound.movedArrays ? Intake.ARRAYS : Intake.CONTROL;
    }
    return Intake.PAUSED;
  }

  /** Takes some frames; returns whether those were all. */
  private boolean take(ByteBuffer bytes, boolean fresh) {
    LoopTurn turn = turn();
    try {
      return core.inbound.accept(bytes, fresh);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
      bytes.position(bytes.limit());
      return true;
    } finally {
      core.watch.flush();
      LoopTurn.end(turn);
    }
  }

  /**
   * Takes further frames, for as long as the thread has time for this connection; returns whether
   * those were all.
   */
  private boolean takeMany(ByteBuffer bytes) {
    EngineRuntime runtime = core.context.runtime();
    long most = core.link().readingNanos();
    long began = runtime.nanoTime();
    do {
      if (take(bytes, false)) {
        return true;
      }
      if (!core.inbound.hasTakenMany()) {
        return false;
      }
    } while (runtime.nanoTime() - began < most);
    // Those that wait for this thread come first.
    core.link().resumeReading();
    return false;
  }

  @Override
  public void filled(ByteBuffer space, int bytes) {
    LoopTurn turn = turn();
    try {
      core.inbound.acceptDirect(space, bytes);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
    } finally {
      core.watch.flush();
      LoopTurn.end(turn);
    }
  }

  @Override
  public long inputArray(ArrayIo io, int atMost) throws IOException {
    LoopTurn turn = turn();
    try {
      return core.inbound.acceptArray(io, atMost);
    } catch (ArraywireException | RuntimeException | Error e) {
      inputFailed(e);
      return 0;
    } finally {
      core.watch.flush();
      LoopTurn.end(turn);
    }
  }

  @Override
  public boolean inputEnded() {
    core.termination().inputEnded();
    return true;
  }

  /** Where users' code may run on this thread. */
  private @Nullable LoopTurn turn() {
    return core.channels.areOnLoop() || core.context.completions().areOnLoop()
        ? LoopTurn.begin()
        : null;
  }

  private void inputFailed(Throwable thrown) {
    core.termination().inputFailed(thrown);
  }

  // The writing thread.

  @Override
  public @Nullable Output output() {
    try {
      if (core.isLinkClosed()) {
        return core.outbound.isEnded() ? Output.END : null;
      }
      OutputBatch batch = core.outbound.next();
      if (batch == null && core.outbound.isEnded()) {
        core.termination().endIfOver();
        return Output.END;
      }
      return batch;
    } catch (RuntimeException | Error e) {
      core.termination().outputFailed(e);
      return null;
    } finally {
      core.watch.flush();
    }
  }

  @Override
  public boolean wrote(long bytes) {
    LoopTurn turn = turn();
    try {
      core.outbound.complete(core.outbound.wrote(bytes));
      core.watch.flush();
      // Before the batch is given back, for the next connection.
      long full = core.outbound.takeFull();
      boolean all = core.outbound.hasWrittenAll();
      BlockChoice choice = core.outbound.choice();
      if (choice != null) {
        choice.wrote(bytes, full, all);
      }
      return all;
    } finally {
      LoopTurn.end(turn);
    }
  }

  @Override
  public void disposed(Direction direction) {
    if (direction == Direction.INPUT) {
      core.inbound.ignoreFurther();
      core.inboxes().forEach(Inbox::disposed);
      // A session keeps its last connection, and no memory of arrays that did not come whole.
      core.channels.forgetArriving();
    } else {
      core.outbound.release();
    }
    core.termination().disposed(direction);
  }

  @Override
  public void failed(Throwable thrown) {
    if (thrown instanceof IOException failed) {
      core.termination().channelFailed(failed);
    } else {
      core.transportFailed(thrown);
    }
  }
}
