package io.arraywire.engine;

import io.arraywire.spi.Codec;
import org.jspecify.annotations.Nullable;

/** The incoming half of a channel: the array that is arriving on it. The reading thread's alone. */
final class InboundChannel {
  final int id;
  Inbox inbox;

  /** Where the next array goes. Any thread changes it, under the connection's lock. */
  volatile Inbox next;

  long nextSequence = 1;

  /** The array that is arriving, and what decodes it; both are set, or none. */
  @Nullable InboundArray arriving;

  @Nullable Codec codec;

  /** The same, once it is known where it goes. */
  @Nullable InboundArray arrival;

  int encodingCode;
  long arrayBytes;
  long arrayReceived;

  /** The last read operation that was counted for the array. */
  long countedOperation;

  InboundChannel(int id, Inbox inbox) {
    this.id = id;
    this.inbox = inbox;
    next = inbox;
  }

  /** The array is complete, or was withdrawn. */
  void ends() {
    arriving = null;
    arrival = null;
    codec = null;
  }
}
