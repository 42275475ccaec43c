package io.arraywire.engine;

import org.jspecify.annotations.Nullable;

/**
 * The control frames of a connection that wait to be sent, from the handshake to the last frame.
 * Guarded by the connection's lock.
 */
final class ControlQueue {
  /** What may wait to be told to the peer; more only piles up before a peer that does not read. */
  private static final int MOST_BYTES = 1 << 20;

  private static final byte[] SAID = {};

  private LazyQueue<byte[]> frames = LazyQueue.empty();
  private int bytes;

  /** The pong that waits to be sent, if one does. */
  private byte @Nullable [] pong;

  /** Whether the first of the frames is what this side says in the handshake. */
  private boolean beginsWithHandshake;

  /**
   * What says that no further array will come, once everything accepted is sent and acknowledged;
   * then {@link #SAID}.
   */
  private byte @Nullable [] goodbye;

  /** Whether output ends when the goodbye is out: the peer has said its own, so nothing is owed. */
  private boolean endsAfterGoodbye;

  private boolean isLastQueued;

  boolean isEmpty() {
    return frames.isEmpty();
  }

  /** Queues a frame; returns whether there was room for it. */
  boolean queue(byte[] frame) {
    if (isLastQueued) {
      return true;
    }
    if (bytes + frame.length > MOST_BYTES) {
      return false;
    }
    add(frame);
    return true;
  }

  private void add(byte[] frame) {
    frames = frames.plus(frame);
    bytes += frame.length;
  }

  void queueHandshake(byte[] message) {
    beginsWithHandshake = frames.isEmpty();
    queue(message);
  }

  /** Queues the answer to a ping, in place of one that is still waiting. */
  boolean queuePong(byte[] frame) {
    byte[] waiting = pong;
    if (waiting != null) {
      System.arraycopy(frame, 0, waiting, 0, frame.length);
      return true;
    }
    pong = frame;
    return queue(frame);
  }

  /** Queues a frame though there may be no room for it. */
  void queueAnyway(byte[] frame) {
    if (!isLastQueued) {
      add(frame);
    }
  }

  /** Whether more waits than a peer that reads would leave. */
  boolean isOverfull() {
    return bytes > MOST_BYTES;
  }

  /** Queues what ends the stream; nothing is queued after it. */
  void queueLast(byte[] frame) {
    queueAnyway(frame);
    isLastQueued = true;
  }

  /** Whether nothing may follow what is queued. */
  boolean isLastQueued() {
    return isLastQueued;
  }

  /** Says goodbye when everything that was accepted is sent and acknowledged. */
  void closeWhenDrained(byte[] goodbyeFrame) {
    if (goodbye == null) {
      goodbye = goodbyeFrame;
    }
  }

  /** Ends when the goodbye is out and nothing else waits. */
  void endAfterGoodbye() {
    endsAfterGoodbye = true;
  }

  /** Whether the peer has said goodbye. */
  boolean endsAfterGoodbye() {
    return endsAfterGoodbye;
  }

  /** Whether a goodbye is to be said, or was. */
  boolean saysGoodbye() {
    return goodbye != null;
  }

  /**
   * Everything is sent and acknowledged: queues the goodbye, if one is to be said.
   *
   * @param owes whether this side owes the peer an acknowledgement or credit
   */
  void drained(boolean owes) {
    byte[] said = goodbye;
    if (said == null || isLastQueued) {
      return;
    }
    if (said.length > 0) {
      add(said);
      goodbye = SAID;
    }
    // Acknowledgements may still follow until the peer has said goodbye, too.
    isLastQueued = endsAfterGoodbye && frames.isEmpty() && !owes;
  }

  /** Moves the first frame to a batch; returns false if there is none, or it has no room there. */
  @SuppressWarnings("ReferenceEquality") // It is the very frame that is meant.
  boolean moveTo(BatchPlan plan) {
    byte[] first = frames.peek();
    if (first == null || !plan.addBytes(first)) {
      return false;
    }
    frames.remove();
    bytes -= first.length;
    if (first == pong) {
      pong = null;
    }
    beginsWithHandshake = false;
    return true;
  }

  /** Gives back memory that it needs no more. */
  void trim() {
    frames = frames.trimmed();
  }

  /** Forgets all but the handshake: an error frame is understood behind that only. */
  void drop() {
    byte[] first = frames.peek();
    frames.clear();
    bytes = 0;
    pong = null;
    if (first != null && beginsWithHandshake) {
      add(first);
    }
  }
}
