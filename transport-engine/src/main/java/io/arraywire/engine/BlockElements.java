package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.spi.Codec;
import org.jspecify.annotations.Nullable;

/**
 * The elements that one block is made of; used again for the next block, so that a block costs no
 * garbage. The writing thread's.
 */
final class BlockElements {
  private static final Object NO_ARRAY = new byte[0];

  /** The channel whose figures the block belongs to, and the codec that is to make it smaller. */
  int channel;

  private @Nullable Codec codec;
  ElementType type = ElementType.BYTE;
  Object array = NO_ARRAY;
  int index;
  int count;

  /** Whether this connection has encoded it, and knows what came of that. */
  boolean encoded;

  BlockElements() {}

  /** A block begins, of so many elements. */
  void begin(int ofChannel, Codec with, ElementType of, int elements) {
    channel = ofChannel;
    codec = with;
    type = of;
    count = elements;
    encoded = false;
  }

  /** Its elements lie here. */
  void at(Object in, int first) {
    array = in;
    index = first;
  }

  /** Lets the array go, which is its owner's. */
  void end() {
    array = NO_ARRAY;
  }

  Codec codec() {
    Codec with = codec;
    if (with == null) {
      throw new IllegalStateException("no block has begun");
    }
    return with;
  }

  /** How many bytes its elements take where they are plain. */
  int plainBytes() {
    return count * type.bytes();
  }
}
