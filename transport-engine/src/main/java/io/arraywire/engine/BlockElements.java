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

  /** The figures that the block belongs to, see {@link #figures(int)}. */
  int figures;

  /** What is to make it smaller. */
  private @Nullable Codec codec;

  ElementType type = ElementType.BYTE;
  Object array = NO_ARRAY;
  int index;
  int count;

  /** Whether this connection has encoded it, and knows what came of that. */
  boolean encoded;

  BlockElements() {}

  /** Which figures a block of an array belongs to. */
  static int figures(int channel) {
    return channel;
  }

  /** Which figures a block of a message belongs to: each part has some of its own. */
  static int figures(int channel, int part) {
    return channel | ((part + 1) << 16);
  }

  /** A block begins, of so many elements. */
  void begin(int ofFigures, Codec with, ElementType of, int elements) {
    figures = ofFigures;
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
