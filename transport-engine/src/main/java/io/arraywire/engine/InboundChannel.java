package io.arraywire.engine;

import io.arraywire.Encoding;
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

  /** What decodes its blocks, if it is in blocks; {@link #codec} is that of raw ones then. */
  @Nullable Codec blocks;

  /** Where the parts of a message end, if some are in blocks; {@link #blocks} is not null then. */
  @Nullable InboundParts parts;

  /** What the header of the array said of it, for those of its chunks. */
  int encodingCode;

  long arrayBytes;
  long arrayReceived;

  /** Bytes of elements that came on the wire, of all arrays; those of a block as they come. */
  long came;

  /** The last read operation that was counted for the array. */
  long countedOperation;

  InboundChannel(int id, Inbox inbox) {
    this.id = id;
    this.inbox = inbox;
    next = inbox;
  }

  InboundArray array() {
    InboundArray array = arriving;
    if (array == null) {
      throw new IllegalStateException("no array is arriving");
    }
    return array;
  }

  Codec codec() {
    Codec decoder = codec;
    if (decoder == null) {
      throw new IllegalStateException("no array is arriving");
    }
    return decoder;
  }

  Codec blocks() {
    Codec decoder = blocks;
    if (decoder == null) {
      throw new IllegalStateException("no array in blocks is arriving");
    }
    return decoder;
  }

  /** How many elements of the array have come; not to be called before its prefix has come. */
  long elementsReceived() {
    Encoding encoding = codec().encoding();
    InboundArray array = array();
    int prefix = encoding.prefixBytes(array.type(), array.count());
    return (arrayReceived - prefix) / encoding.elementBytes(array.type());
  }

  /** The array is complete, or was withdrawn. */
  void ends() {
    arriving = null;
    codec = null;
    blocks = null;
    parts = null;
  }
}
