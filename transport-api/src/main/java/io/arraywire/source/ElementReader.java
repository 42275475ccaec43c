package io.arraywire.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of an {@link ArraySource} once. Used by one thread at a time, and not after
 * {@link #close()}. An implementation defines {@link #read}, and overrides {@code close} if it
 * holds files or memory.
 */
public interface ElementReader extends AutoCloseable {

  /**
   * Where all elements lie in one piece outside of the heap, so that a channel can take them from
   * there.
   */
  sealed interface Region {

    /**
     * Direct memory.
     *
     * @param bytes the bytes of all elements from position 0 to the limit, in a direct buffer
     */
    record Memory(ByteBuffer bytes) implements Region {}

    /**
     * More direct memory than one buffer can have, in buffers that overlap: each frame is written
     * from one of them.
     *
     * @param bytes direct buffers from position 0 to the limit; the one with index {@code i} has
     *     the bytes of the elements from {@code i * stepBytes} on. It has all bytes that are left,
     *     or {@code stepBytes} and then as many as the largest frame has. The largest frame has at
     *     most 16 times {@link io.arraywire.TransportOptions#chunkBytes()} of the sender, which is
     *     at most 1 GiB. It never has more than {@link
     *     io.arraywire.TransportOptions#maxFrameBytes()} of the peer
     * @param stepBytes how far each begins behind the one before, in whole elements
     */
    record Windows(List<ByteBuffer> bytes, long stepBytes) implements Region {
      /** Keeps a copy of the list. */
      public Windows {
        bytes = List.copyOf(bytes);
      }
    }

    /**
     * A part of a file.
     *
     * @param channel the file, open for reading
     * @param position where the first element begins, in bytes
     */
    record InFile(FileChannel channel, long position) implements Region {}
  }

  /**
   * Reads elements that follow those that were read before, or begins anew.
   *
   * @param index the first element, 0 to the number of elements
   * @param count how many, at least 1
   * @param target where the bytes go, from its position on, in its byte order. The reader advances
   *     the position by exactly as many bytes as the elements have. There is room for them. May be
   *     a heap or a direct buffer
   * @throws IOException if they cannot be read; what is in the target then does not matter
   */
  void read(long index, int count, ByteBuffer target) throws IOException;

  /**
   * Where the elements lie outside of the heap.
   *
   * @param order the byte order that they are wanted in
   * @return the place; null if they do not lie so, or in another order
   */
  default @Nullable Region region(ByteOrder order) {
    return null;
  }

  /**
   * Checks that the elements are still what they were when they were opened, as far as that can be
   * told. Called before elements leave from their region, and again before the last of them leaves.
   *
   * @throws IOException if they are not
   */
  default void check() throws IOException {}

  /** Ends reading; idempotent. */
  @Override
  default void close() {}
}
