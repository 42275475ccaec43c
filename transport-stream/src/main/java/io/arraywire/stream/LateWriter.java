package io.arraywire.stream;

import io.arraywire.NoRoomException;
import io.arraywire.engine.WireEnd;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The writing thread of a connection that was accepted: it is started when there is something to
 * write. Peers that connect and say nothing then cost one thread each, and not two.
 *
 * <p>Any thread may start it. The reading thread says when it ends: it leaves either a writing
 * thread, or a connection that is closed and disposed of.
 */
final class LateWriter {
  private enum State {
    WAITS,
    STARTED,
    FAILED,
    OVER
  }

  private final StreamLink link;
  private final WireEnd wire;
  private final Writing writer;
  private final AtomicReference<State> state = new AtomicReference<>(State.WAITS);

  /** Null when it was started: the connection does not keep it. */
  private @Nullable Thread thread;

  private volatile @Nullable NoRoomException failure;
  private volatile boolean readerIsGone;

  LateWriter(StreamLink link, WireEnd wire, Writing writer, Thread thread) {
    this.link = link;
    this.wire = wire;
    this.writer = writer;
    this.thread = thread;
  }

  /** Starts the thread, if nobody has. If there is none to be had, the link is closed. */
  void start() {
    Thread waiting = thread;
    if (waiting == null || !state.compareAndSet(State.WAITS, State.STARTED)) {
      return;
    }
    thread = null;
    try {
      waiting.start();
    } catch (RuntimeException | Error e) {
      failure = link.noThread(e);
      state.set(State.FAILED);
      // The connection's lock may be held here: the reading thread says so, when that wakes it.
      link.close();
      if (readerIsGone) {
        giveUp();
      }
    }
  }

  /** Why there is none. */
  @Nullable NoRoomException failure() {
    return failure;
  }

  /** Nobody reads any more, and what is still to be written needs a thread. */
  void readingOver() {
    readerIsGone = true;
    if (!link.isClosed()) {
      start();
    }
    if (link.isClosed()) {
      giveUp();
    }
  }

  /** In place of a thread that never ran. */
  private void giveUp() {
    if (state.compareAndSet(State.WAITS, State.OVER)
        || state.compareAndSet(State.FAILED, State.OVER)) {
      NoRoomException cause = failure;
      if (cause != null) {
        wire.failed(cause);
      }
      writer.dispose();
    }
  }
}
