package io.arraywire.engine.tls;

import io.arraywire.engine.Output;
import io.arraywire.engine.WireEnd;
import io.arraywire.spi.MemoryKind;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The way down: seals what comes from above in records, many of them for one write. They lie in an
 * array, since JSSE encrypts twice as fast there. The end above hears of a record's bytes when the
 * channel has taken the record. The writing thread's.
 */
final class TlsOutput implements Output {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final ByteBuffer[] NO_SOURCES = {NOTHING};

  /** 15 records of the largest size fit in. */
  private static final int STAGING_BYTES = 256 << 10;

  /** For what is not large. */
  private static final int SMALL_STAGING_BYTES = 128 << 10;

  /** From how many bytes on the larger memory is taken. */
  private static final int LARGE_BYTES = 100 << 10;

  private static final int MOST_RECORDS = 64;

  private final TlsState state;
  private final WireEnd above;
  private final SSLEngine engine;

  private final ByteBuffer[] buffers = {NOTHING};
  private final TlsMemory memory;

  // What the staging holds: where each record ends in it, and how many bytes from above it has.
  private int[] ends = {};
  private int[] contents = {};
  private int records;
  private int firstRecord;
  private int written;
  private boolean movesArrays;

  /** What was sealed last. */
  private @Nullable Output source;

  /** Whether the staging is to be written, and not filled. */
  private boolean ready;

  private boolean lastOfAbove;
  private boolean saidClose;

  /**
   * Whether the engine wants to be asked again once this is written, though its status does not say
   * so. Netty's engine of OpenSSL first makes the alert and then throws what it is about.
   */
  private boolean wantsMore;

  TlsOutput(TlsState state, WireEnd above) {
    this.state = state;
    this.above = above;
    engine = state.engine;
    memory = new TlsMemory(state.shared.pool());
  }

  /** What is to be written next, as {@link WireEnd#output()} says it. */
  @Nullable Output next() throws SSLException {
    if (count() > 0) {
      return this;
    }
    Output next = made();
    state.writing = ready;
    if (!ready) {
      release();
    }
    if (Output.isEnd(next)) {
      // Transports need not ask again.
      state.saidLast();
    }
    return next;
  }

  private @Nullable Output made() throws SSLException {
    begin();
    if (state.isClosing()) {
      return lastWords();
    }
    if (wantsMore && !state.hasFailed()) {
      wantsMore = false;
      wrapOwn();
    }
    if (!state.isEstablished() && !shakesHands()) {
      return staged();
    }
    if (state.status() == HandshakeStatus.NEED_WRAP) {
      wrapOwn();
      if (hasStaged()) {
        return staged();
      }
    }
    if (state.outputEnded) {
      return sayClose() ? staged() : Output.END;
    }
    Output from = above.output();
    if (state.isClosing()) {
      return lastWords();
    }
    if (Output.isEnd(from)) {
      state.outputEnded = true;
      // An alert of TLS 1.2 may have waited for this.
      state.below.resumeReading();
      return sayClose() ? staged() : Output.END;
    }
    if (from != null) {
      seal(from);
    }
    return staged();
  }

  private @Nullable Output staged() {
    if (!hasStaged()) {
      return null;
    }
    buffers[0].flip();
    ready = true;
    return this;
  }

  private boolean hasStaged() {
    return !ready && buffers[0].position() > 0;
  }

  /** Goes on with the handshake as far as that is up to this thread; returns whether it is over. */
  private boolean shakesHands() throws SSLException {
    while (!state.isEstablished() && !state.hasFailed()) {
      switch (state.status()) {
        case NEED_WRAP -> {
          if (!wrapOwn()) {
            return false;
          }
        }
        case NEED_TASK -> {
          if (state.runsTasks()) {
            return false;
          }
        }
        case FINISHED, NOT_HANDSHAKING -> state.established();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          resumeReader();
          return false;
        }
      }
    }
    resumeReader();
    return state.isEstablished() && !hasStaged();
  }

  private void resumeReader() {
    if (state.readerWaits) {
      state.readerWaits = false;
      state.below.resumeReading();
    }
  }

  /** Seals what the engine itself has to say; returns whether it may have more. */
  private boolean wrapOwn() throws SSLException {
    takeMemory(SMALL_STAGING_BYTES);
    SSLEngineResult result = state.wrap(NO_SOURCES, 0, 1, buffers[0]);
    note(result);
    wantsMore = result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP;
    return result.getStatus() == Status.OK && result.bytesProduced() > 0;
  }

  /** Seals as much from above as one write should have. */
  private void seal(Output from) throws SSLException {
    source = from;
    takeMemory(from.remaining() > LARGE_BYTES ? STAGING_BYTES : SMALL_STAGING_BYTES);
    movesArrays |= from.movesArrays();
    int first = from.first();
    int end = first + from.count();
    ByteBuffer[] theirs = from.buffers();
    while (records < MOST_RECORDS) {
      while (first < end && !theirs[first].hasRemaining()) {
        first++;
      }
      if (first == end) {
        return;
      }
      SSLEngineResult result = state.wrap(theirs, first, end - first, buffers[0]);
      if (result.getStatus() == Status.BUFFER_OVERFLOW && hasStaged()) {
        return;
      }
      note(result);
      if (result.getStatus() != Status.OK) {
        throw new SSLException(
            "the TLS engine takes nothing more (status=" + result.getStatus() + ")");
      }
      if (result.bytesConsumed() == 0
          && result.bytesProduced() == 0
          && result.getHandshakeStatus() != HandshakeStatus.FINISHED) {
        // A task, or something that the peer has to say first.
        if (result.getHandshakeStatus() != HandshakeStatus.NEED_TASK || !state.runsTasks()) {
          throw new SSLException(
              "the TLS engine takes nothing (status=" + result.getHandshakeStatus() + ")");
        }
        return;
      }
    }
  }

  private void note(SSLEngineResult result) {
    if (result.bytesProduced() > 0) {
      if (ends.length == 0) {
        ends = new int[MOST_RECORDS];
        contents = new int[MOST_RECORDS];
      }
      int last = records - 1;
      if (records == MOST_RECORDS) {
        // The engine's own: they belong to nothing above.
        ends[last] = buffers[0].position();
      } else {
        ends[records] = buffers[0].position();
        contents[records] = result.bytesConsumed();
        records++;
      }
    }
    if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
      state.established();
    }
  }

  /** Says that nothing more comes; returns whether there is something to write for that. */
  private boolean sayClose() throws SSLException {
    if (!saidClose) {
      saidClose = true;
      engine.closeOutbound();
    }
    boolean more = true;
    while (more && !engine.isOutboundDone()) {
      more = wrapOwn();
    }
    return hasStaged();
  }

  /** Says why the connection failed, if the engine knows; returns whether there is something. */
  private boolean sayAlert() throws SSLException {
    boolean more = true;
    while (more && state.status() == HandshakeStatus.NEED_WRAP) {
      more = wrapOwn();
    }
    return hasStaged();
  }

  /** What is said when the connection has ended already, and then nothing. */
  private @Nullable Output lastWords() throws SSLException {
    byte[] words = state.plainWords;
    if (words != null) {
      state.plainWords = null;
      takeMemory(SMALL_STAGING_BYTES);
      buffers[0].put(words);
      return staged();
    }
    boolean failed = state.hasFailed();
    boolean speaks = failed ? state.peerSpeaksTls : state.isEstablished();
    if (speaks && (failed ? sayAlert() : sayClose())) {
      return staged();
    }
    return Output.END;
  }

  /**
   * The channel has taken bytes.
   *
   * @return whether nothing is left to write
   */
  boolean wrote(long bytes) {
    written += (int) bytes;
    int sealed = 0;
    while (firstRecord < records && ends[firstRecord] <= written) {
      sealed += contents[firstRecord++];
    }
    if (sealed > 0) {
      lastOfAbove = above.wrote(sealed);
    }
    if (count() > 0) {
      return false;
    }
    ready = false;
    state.writing = false;
    boolean last = lastOfAbove && !wantsMore && !state.isClosing() && !state.outputEnded;
    if (last) {
      release();
    }
    return last;
  }

  // Memory.

  private void begin() {
    buffers[0].clear();
    records = 0;
    firstRecord = 0;
    written = 0;
    movesArrays = false;
    lastOfAbove = false;
  }

  private void takeMemory(int bytes) {
    if (memory.isHeld() && !hasStaged() && buffers[0].capacity() < bytes) {
      release();
    }
    if (!memory.isHeld()) {
      buffers[0] = memory.take(bytes, MemoryKind.HEAP);
    }
  }

  /** Gives memory back; nothing may be left to write, unless it is the last thing that happens. */
  void release() {
    buffers[0] = NOTHING;
    ready = false;
    memory.release();
  }

  // Output.

  @Override
  public ByteBuffer[] buffers() {
    return buffers;
  }

  @Override
  public int first() {
    return 0;
  }

  @Override
  public int count() {
    return ready && buffers[0].hasRemaining() ? 1 : 0;
  }

  @Override
  public long remaining() {
    return ready ? buffers[0].remaining() : 0;
  }

  @Override
  public void full(long nanosAgo) {
    if (source != null) {
      source.full(nanosAgo);
    }
  }

  @Override
  public boolean movesArrays() {
    return movesArrays;
  }
}
