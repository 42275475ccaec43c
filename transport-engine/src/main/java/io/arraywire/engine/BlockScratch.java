package io.arraywire.engine;

import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.spi.BulkElements;
import io.arraywire.spi.Codec;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory for one block that is made or read, used again and again. It has the block's bytes while
 * they come, and its elements where they do not lie in an array. It has at most twice what a block
 * may have, and as much again for each kind of array. One thread at a time.
 *
 * <p>Between two uses it {@linkplain #rest rests}, and the garbage collector may take the memory.
 * So what idle connections have given back holds none, and busy ones find theirs again.
 */
final class BlockScratch {
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);
  private static final Object NO_ELEMENTS = new byte[0];

  /** The arrays and buffers, which the collector may take while nothing is read or made. */
  private static final class Memory {
    /** An array for each kind that was needed, since types may come in turn. */
    private final Map<ElementType, Object> arrays = new EnumMap<>(ElementType.class);

    /** What has come of a block; its capacity grows as bytes come. */
    private ByteBuffer gathered = NO_BYTES;

    private ByteBuffer plain = NO_BYTES;
  }

  /** Null while it rests, and before it is first used. */
  private @Nullable Memory held;

  /** The same memory, or memory that was collected. */
  private @Nullable WeakReference<Memory> kept;

  private Object elements = NO_ELEMENTS;
  private int wanted;

  // The block that is read.
  private @Nullable Codec codec;
  private ElementType blockType = ElementType.BYTE;
  private int count;

  /** The block that is made. */
  final BlockElements block = new BlockElements();

  BlockScratch() {}

  private Memory memory() {
    Memory memory = held;
    if (memory == null) {
      memory = kept == null ? null : kept.get();
      if (memory == null) {
        memory = new Memory();
        kept = new WeakReference<>(memory);
      }
      held = memory;
    }
    return memory;
  }

  /** Leaves the memory to the collector until the next use. What is in it is of no more use. */
  void rest() {
    held = null;
    elements = NO_ELEMENTS;
  }

  /** An array of at least that many elements, whose values are of no meaning. */
  Object elements(ElementType wantedType, int count) {
    Map<ElementType, Object> arrays = memory().arrays;
    ElementType carrier = wantedType.carrier();
    Object array = arrays.get(carrier);
    if (array == null || Array.getLength(array) < count) {
      int most = Encoding.MAX_BLOCK_BYTES / wantedType.bytes();
      array = wantedType.newArray(Math.max(count, Math.min(most, 2 * count)));
      arrays.put(carrier, array);
    }
    elements = array;
    return array;
  }

  /** The elements of the block that is read, decoded to {@link #elements}, where they are plain. */
  ByteBuffer plain() {
    Memory memory = memory();
    ByteBuffer plain = memory.plain;
    int bytes = plainBytes();
    if (plain.capacity() < bytes) {
      int twice = Math.min(Encoding.MAX_BLOCK_BYTES, 2 * plain.capacity());
      plain = ByteBuffer.allocate(Math.max(bytes, twice));
      memory.plain = plain;
    }
    BulkElements.put(blockType, elements, 0, count, plain.clear(), codec().encoding().order());
    return plain.flip();
  }

  /** A block begins, of that many elements and bytes. */
  void begin(Codec decoder, ElementType of, int blockElements, int bytes) {
    codec = decoder;
    blockType = of;
    count = blockElements;
    wanted = bytes;
    ByteBuffer unused = room(bytes);
  }

  /** Memory in which so many bytes are gathered; where it is smaller, it grows as they come. */
  ByteBuffer room(int bytes) {
    Memory memory = memory();
    if (memory.gathered.capacity() == 0) {
      memory.gathered = ByteBuffer.allocate(FrameScratch.FIRST_BYTES);
    }
    return memory.gathered.clear().limit(Math.min(bytes, memory.gathered.capacity()));
  }

  /** Keeps that memory, which may have grown. */
  void keepRoom(ByteBuffer grown) {
    memory().gathered = grown;
  }

  Codec codec() {
    Codec decoder = codec;
    if (decoder == null) {
      throw new IllegalStateException("no block has begun");
    }
    return decoder;
  }

  ElementType type() {
    return blockType;
  }

  /** How many elements the block has. */
  int count() {
    return count;
  }

  /** How many bytes its elements take where they are plain. */
  int plainBytes() {
    return count * blockType.bytes();
  }

  /** Whether nothing was gathered of the block. */
  boolean isEmpty() {
    return memory().gathered.position() == 0;
  }

  /** Takes what has come of the block; returns whether it is whole. */
  boolean gather(ByteBuffer from) {
    Memory memory = memory();
    ByteBuffer gathered = FrameScratch.gather(from, memory.gathered, wanted);
    memory.gathered = gathered;
    return gathered.position() == wanted;
  }

  /** The block, which is whole. */
  ByteBuffer gathered() {
    return memory().gathered.flip();
  }
}
