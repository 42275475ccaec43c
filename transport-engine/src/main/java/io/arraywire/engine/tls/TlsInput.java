package io.arraywire.engine.tls;

import io.arraywire.engine.Intake;
import io.arraywire.engine.ReadPlan;
import io.arraywire.engine.Role;
import io.arraywire.engine.WireEnd;
import java.nio.ByteBuffer;
import java.time.Duration;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The way up: has the engine open the records that come, where they lie, and passes on what was in
 * them. The reading thread's.
 */
final class TlsInput {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final int SMALL_WINDOW_BYTES = 16 << 10;
  private static final int WINDOW_BYTES = 128 << 10;

  /** The most that is read at a time of a peer that has not been let in. */
  static final int OF_STRANGER = SMALL_WINDOW_BYTES;

  /**
   * A peer may send so many records in a row that hold nothing. JSSE takes any number before the
   * handshake is over.
   */
  private static final int MOST_EMPTY_RECORDS = 1024;

  /**
   * The limit of the weight of records in a row that bring no plaintext: those of the handshake,
   * key updates, empty ones. A handshake of 16 KiB stays below it, even with one byte in each
   * record.
   */
  private static final int MOST_IDLE_WEIGHT = MOST_EMPTY_RECORDS * TlsRecords.FULL_WEIGHT;

  /** How long the alert of TLS 1.2 that ends the peer's direction may wait for the end of ours. */
  private static final Duration HOLD = Duration.ofSeconds(10);

  private enum Step {
    /** No whole record is there. */
    NEEDS_BYTES,
    /** Something else has to happen first; reading is resumed then. */
    WAITS,
    /** Try again. */
    GOES_ON
  }

  private final TlsState state;
  private final WireEnd above;
  private final TlsRecords records;
  private final ReadPlan plan = new ReadPlan();
  private final ByteBuffer[] targets = {NOTHING, NOTHING};

  /** What was opened and not yet passed on. */
  private ByteBuffer window = NOTHING;

  private final TlsMemory memory;

  /** Up to where the piece of the window goes that was refused; negative if none was. */
  private int refusedTo = -1;

  private boolean aboveHolds;
  private boolean fresh;
  private boolean arrays;

  /** In a row, and what they weigh. */
  private int idleRecords;

  private int idleWeight;
  private boolean holds;
  private volatile boolean holdIsOver;

  /** Whether the peer has said that nothing more comes. */
  private boolean closed;

  private boolean toldEnd;

  /** Whether the peer has not been let in, as far as the end above has said. */
  private boolean stranger = true;

  TlsInput(TlsState state, WireEnd above) {
    this.state = state;
    this.above = above;
    records = new TlsRecords(state);
    memory = new TlsMemory(state.shared.pool());
  }

  boolean isInsideArray() {
    return records.holdsPart() || plan.isInsideArray();
  }

  /** Whether neither handshake, or only that of TLS, is over. */
  boolean isOfStranger() {
    if (stranger && state.isEstablished()) {
      above.plan(plan);
      stranger = plan.isOfStranger();
    }
    return stranger;
  }

  Intake take(ByteBuffer bytes, boolean isFresh) throws SSLException {
    fresh = isFresh;
    arrays = false;
    while (true) {
      if (state.isClosing() || state.hasFailed()) {
        return dropped(bytes);
      }
      if (hasPlaintext() && !deliver()) {
        return Intake.PAUSED;
      }
      if (closed) {
        boolean taken = ended();
        return taken ? dropped(bytes) : Intake.PAUSED;
      }
      Step step = open(bytes);
      if (step != Step.GOES_ON && !hasPlaintext() && !closed && !state.hasFailed()) {
        releaseWindow();
        if (step == Step.WAITS && holds && !toldEnd) {
          // A peer that has not said goodbye before is gone.
          toldEnd = above.inputEnded();
        }
        return step == Step.WAITS ? Intake.PAUSED : arrays ? Intake.ARRAYS : Intake.CONTROL;
      }
    }
  }

  private static Intake dropped(ByteBuffer bytes) {
    bytes.position(bytes.limit());
    return Intake.CONTROL;
  }

  // Passing on.

  private boolean hasPlaintext() {
    // What was refused may have been all there was, and is asked about again.
    return aboveHolds || refusedTo >= 0 || window.hasRemaining();
  }

  /** Passes everything on; returns false if reading must stop. */
  private boolean deliver() {
    int limit = window.limit();
    while (hasPlaintext()) {
      int to = refusedTo;
      if (to < 0 && aboveHolds) {
        to = window.position();
      } else if (to < 0) {
        above.plan(plan);
        ByteBuffer space = plan.space();
        if (space != null) {
          fill(space);
          continue;
        }
        to = window.position() + Math.min(window.remaining(), plan.limit());
      }
      Intake intake = above.input(window.limit(to), fresh);
      fresh = false;
      window.limit(limit);
      refusedTo = intake == Intake.PAUSED ? to : -1;
      if (intake == Intake.PAUSED) {
        return false;
      }
      aboveHolds = intake == Intake.HELD;
      arrays |= intake == Intake.ARRAYS;
    }
    return true;
  }

  private void fill(ByteBuffer space) {
    int count = Math.min(space.remaining(), window.remaining());
    int limit = window.limit();
    space.put(window.limit(window.position() + count));
    window.limit(limit);
    arrays = true;
    above.filled(space, count);
  }

  /** The peer, or the channel, has no more. Returns whether that was taken. */
  boolean ended() {
    state.inputOver();
    if (state.isClosing()) {
      return true;
    }
    if (closed) {
      toldEnd = toldEnd || above.inputEnded();
      return toldEnd;
    }
    if (!state.isEstablished()) {
      state.fail(TlsErrors.endedInHandshake(null, state.peer()));
    } else {
      state.fail(TlsErrors.truncated(state.peer()));
    }
    return true;
  }

  // Opening records.

  /** Opens records until no further one is there or fits in the window. */
  private Step open(ByteBuffer bytes) throws SSLException {
    if (!state.isEstablished()) {
      HandshakeStatus status = state.status();
      if (status == HandshakeStatus.NEED_TASK) {
        return state.runsTasks() ? Step.WAITS : Step.GOES_ON;
      }
      if (status == HandshakeStatus.NEED_WRAP) {
        return waitForWriter();
      }
    }
    ByteBuffer record = records.next(bytes);
    if (record == null) {
      return Step.NEEDS_BYTES;
    }
    beginWindow(Math.max(records.bytes(), bytes.remaining()));
    Step step = Step.GOES_ON;
    try {
      while (record != null && step == Step.GOES_ON && !closed) {
        if (isHeld(record)) {
          return Step.WAITS;
        }
        // A peer that has come here has nothing to refuse.
        if (state.role == Role.CONNECTOR && !state.peerSpeaksTls && TlsRecords.isRefusal(record)) {
          state.fail(TlsErrors.refused(state.peer()));
          return Step.GOES_ON;
        }
        if (window.remaining() < records.bytes()) {
          return Step.GOES_ON;
        }
        step = open(record, window.position() == 0 ? space() : null);
        if (step == Step.GOES_ON) {
          record = records.next(bytes);
        }
      }
    } finally {
      window.flip();
    }
    return step == Step.GOES_ON && record == null ? Step.NEEDS_BYTES : step;
  }

  private Step waitForWriter() {
    state.readerWaits = true;
    state.below.wakeWriter();
    return Step.WAITS;
  }

  private @Nullable ByteBuffer space() {
    if (!state.isEstablished()) {
      return null;
    }
    above.plan(plan);
    return plan.space();
  }

  /** Opens one record, into memory that the end above has offered and the window behind it. */
  private Step open(ByteBuffer record, @Nullable ByteBuffer space) throws SSLException {
    SSLEngineResult result;
    int weight = records.weight(record);
    int filled = 0;
    if (space == null) {
      targets[1] = window;
      result = state.unwrap(record, targets, 1, 1);
    } else {
      targets[0] = space;
      targets[1] = window;
      int before = space.position();
      result = state.unwrap(record, targets, 0, targets.length);
      filled = space.position() - before;
      targets[0] = NOTHING;
      if (filled > 0) {
        arrays = true;
        above.filled(space, filled);
      }
    }
    records.opened();
    if (!state.peerSpeaksTls && result.bytesConsumed() > 0) {
      state.peerSpeaksTls = true;
    }
    return after(result, weight);
  }

  private Step after(SSLEngineResult result, int weight) throws SSLException {
    if (result.getStatus() == Status.CLOSED) {
      closed = true;
      // TLS 1.2 answers at once.
      state.below.wakeWriter();
      return Step.GOES_ON;
    }
    if (result.getStatus() != Status.OK) {
      throw new SSLException(
          "the TLS engine did not decrypt a whole record (status=" + result.getStatus() + ")");
    }
    countIdle(result.bytesProduced() == 0, weight);
    switch (result.getHandshakeStatus()) {
      case FINISHED -> state.established();
      case NEED_TASK -> {
        refuseRenegotiation();
        return state.runsTasks() ? Step.WAITS : Step.GOES_ON;
      }
      case NEED_WRAP -> {
        refuseRenegotiation();
        if (!state.isEstablished()) {
          return waitForWriter();
        }
        state.below.wakeWriter();
      }
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
        refuseRenegotiation();
        if (result.bytesConsumed() == 0) {
          throw new SSLException("the TLS engine takes nothing");
        }
      }
      case NOT_HANDSHAKING -> {
        if (!state.isEstablished()) {
          state.established();
        }
      }
    }
    return Step.GOES_ON;
  }

  private void countIdle(boolean idle, int weight) {
    idleRecords = idle ? idleRecords + 1 : 0;
    idleWeight = idle ? idleWeight + weight : 0;
    if (idleWeight > MOST_IDLE_WEIGHT) {
      state.fail(TlsErrors.flood(idleRecords, state.peer()));
    }
  }

  private void refuseRenegotiation() {
    // What the other thread has wrapped meanwhile is no longer asked for.
    if (state.isTls12()
        && !state.outputEnded
        && !state.isClosing()
        && state.status() != HandshakeStatus.NOT_HANDSHAKING) {
      state.fail(TlsErrors.renegotiation(state.peer()));
    }
  }

  // The end of TLS 1.2.

  /** Whether it is the alert of TLS 1.2 that would end this side's direction, too. */
  private boolean isHeld(ByteBuffer record) {
    boolean held =
        state.isTls12()
            && !state.plain
            && !state.outputEnded
            && !holdIsOver
            && TlsRecords.isAlert(record);
    if (held && !holds) {
      holds = true;
      Runnable unused =
          state
              .shared
              .deadlines()
              .after(
                  HOLD,
                  () -> {
                    holdIsOver = true;
                    state.below.resumeReading();
                  });
    }
    return held;
  }

  // Memory.

  /** Takes a window that is empty and large enough. */
  private void beginWindow(int bytes) {
    int wanted = windowFor(bytes);
    if (memory.isHeld() && window.capacity() < wanted) {
      releaseWindow();
    }
    if (!memory.isHeld()) {
      window = memory.take(wanted, state.shared.plaintext());
    }
    window.clear();
  }

  private static int windowFor(int bytes) {
    if (bytes <= SMALL_WINDOW_BYTES) {
      return SMALL_WINDOW_BYTES;
    }
    return bytes <= TlsRecords.MOST_RECORD_BYTES ? TlsRecords.MOST_RECORD_BYTES : WINDOW_BYTES;
  }

  private void releaseWindow() {
    window = NOTHING;
    targets[1] = NOTHING;
    memory.release();
  }

  /** The last thing that the reading thread does. */
  void release() {
    records.release();
    releaseWindow();
  }
}
