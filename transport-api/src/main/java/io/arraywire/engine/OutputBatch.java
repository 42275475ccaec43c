package io.arraywire.engine;

import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whole frames, ready to be written: buffers to gather into one write. Used by the writing thread
 * only.
 *
 * <p>Over direct memory, headers and payloads lie in memory of their own and are gathered; over
 * heap memory, which a stream cannot gather, they follow each other in one buffer.
 */
public final class OutputBatch {
  /** Stands for the batch of a connection that has nothing to write; nothing is put into it. */
  static final OutputBatch NONE = new OutputBatch();

  static final int MOST_FRAMES = 64;

  /** Far below the 1,024 buffers that one gathering write takes. */
  private static final int MOST_BUFFERS = 4 * MOST_FRAMES;

  private static final int HEADERS_BYTES = MOST_FRAMES * 64;

  private static final ByteBuffer[] NO_BUFFERS = {};
  private static final int[] NO_LIMITS = {};
  private static final int FIRST_BUFFERS = 8;

  // These grow with use.
  private ByteBuffer[] buffers = NO_BUFFERS;
  private int[] limits = NO_LIMITS;
  private final ArrayList<Portion> portions = new ArrayList<>(0);
  private int firstPortion;
  private int first;
  private int end;

  /** How many buffers there were at most since the memory was taken. */
  private int used;

  /** Bytes of one operation, where each element has one of its own; else 0. */
  private int unit;

  /** Bytes before the elements, which are left to one operation. */
  private int lead;

  private int frames;
  private long bytes;
  private long written;

  private @Nullable MemoryKind kind;
  private @Nullable PooledMemory staging;
  private @Nullable PooledMemory headers;
  private @Nullable ByteBuffer stagingSpace;
  private @Nullable ByteBuffer headerSpace;

  /** The memory that the last buffer is a view of. */
  private @Nullable ByteBuffer lastMemory;

  OutputBatch() {}

  /**
   * The buffers; those from {@link #first()} on, {@link #count()} of them, are to be written. The
   * writer advances their positions, as a channel does, and reports with {@link
   * ProtocolConnection#wrote}.
   *
   * @return the buffers, in an array that is not to be changed
   */
  public ByteBuffer[] buffers() {
    return buffers;
  }

  /**
   * The first buffer that is not yet written whole.
   *
   * @return its index
   */
  public int first() {
    return first;
  }

  /**
   * How many buffers the next operation may write: one only, where the codec moves elements one by
   * one.
   *
   * @return the number, 0 when everything is written
   */
  public int count() {
    return unit > 0 ? Math.min(1, end - first) : end - first;
  }

  /**
   * What is not yet written.
   *
   * @return bytes
   */
  public long remaining() {
    return bytes - written;
  }

  /** Takes memory and begins anew. */
  void begin(MemoryPool pool, MemoryKind wanted, int stagingBytes) {
    if (staging == null) {
      kind = wanted;
      staging = pool.acquire(stagingBytes, wanted);
      stagingSpace = staging.buffer();
      if (stagingSpace.isDirect()) {
        headers = pool.acquire(HEADERS_BYTES, wanted);
        headerSpace = headers.buffer();
      }
    }
    space().clear();
    if (headerSpace != null) {
      headerSpace.clear();
    }
    portions.clear();
    firstPortion = 0;
    lastMemory = null;
    first = 0;
    end = 0;
    unit = 0;
    lead = 0;
    frames = 0;
    bytes = 0;
    written = 0;
  }

  /** Gives the memory back; nothing may be left to write. */
  void release() {
    stagingSpace = null;
    headerSpace = null;
    lastMemory = null;
    Arrays.fill(buffers, 0, used, null);
    used = 0;
    if (staging != null) {
      staging.release();
      staging = null;
    }
    if (headers != null) {
      headers.release();
      headers = null;
    }
    first = 0;
    end = 0;
    bytes = 0;
    written = 0;
    portions.clear();
  }

  boolean isEmpty() {
    return bytes == 0;
  }

  boolean isFull() {
    return frames >= MOST_FRAMES || end > MOST_BUFFERS - 4 || unit > 0 || room() < 0;
  }

  boolean holdsMemory() {
    return staging != null;
  }

  @Nullable MemoryKind kind() {
    return kind;
  }

  int capacity() {
    return space().capacity();
  }

  /**
   * Bytes of payload and attributes that a further frame may have; negative if not even its header
   * fits.
   */
  int room() {
    return space().remaining() - (headerSpace == null ? 64 : 0);
  }

  /** Where the next header goes: to be given back to {@link #endFrame}. */
  ByteBuffer beginFrame() {
    ByteBuffer at = headerSpace == null ? space() : headerSpace;
    ByteBuffer header = at.duplicate();
    header.limit(at.position() + 64);
    at.position(at.position() + 64);
    append(at, 64);
    return header;
  }

  /** Where attributes and payload go. */
  ByteBuffer space() {
    if (stagingSpace == null) {
      throw new IllegalStateException("the batch has no memory");
    }
    return stagingSpace;
  }

  /** Appends what was put into {@link #space()} since {@code from}. */
  void append(int from) {
    int length = space().position() - from;
    if (length > 0) {
      append(space(), length);
    }
  }

  /** Ends a frame, with the transfer that it carries a part of, if any. */
  void endFrame(@Nullable Transfer transfer, long frameBytes) {
    frames++;
    if (transfer != null) {
      portions.add(new Portion(transfer, bytes - frameBytes, bytes, transfer.isFramed()));
    }
  }

  /** Appends bytes that are not a frame of their own making. */
  void appendBytes(byte[] more) {
    int from = space().position();
    space().put(more);
    append(from);
    frames++;
  }

  /** Has each element written by an operation of its own, after one for what precedes them. */
  void writeElementwise(int leadingBytes, int bytesPerOperation) {
    lead = leadingBytes;
    unit = bytesPerOperation;
    limitFirst();
  }

  /**
   * Notes progress and returns the transfers that are written whole.
   *
   * @param operation the number of the write, counted for the connection
   */
  List<Transfer> wrote(long count, long operation) {
    long before = written;
    written += count;
    List<Transfer> whole = List.of();
    while (firstPortion < portions.size() && portions.get(firstPortion).from < written) {
      Portion portion = portions.get(firstPortion);
      portion.transfer.countOperation(operation);
      if (portion.to > written) {
        break;
      }
      portion.transfer.wireBytes += portion.to - portion.from;
      firstPortion++;
      if (portion.last) {
        if (whole.isEmpty()) {
          whole = new ArrayList<>();
        }
        whole.add(portion.transfer);
      }
    }
    if (written > bytes || written < before) {
      throw new IllegalStateException(
          "more was written than there was (written=" + written + ", bytes=" + bytes + ")");
    }
    while (first < end && !buffers[first].hasRemaining()) {
      if (buffers[first].limit() == limits[first]) {
        first++;
      }
      limitFirst();
    }
    return whole;
  }

  private void limitFirst() {
    if (unit > 0 && first < end) {
      ByteBuffer buffer = buffers[first];
      int operation = written < lead ? lead - (int) written : unit;
      buffer.limit(Math.min(limits[first], buffer.position() + operation));
    }
  }

  @SuppressWarnings("ReferenceEquality") // Equal contents would not do: it must be the same memory.
  private void append(ByteBuffer memory, int length) {
    int to = memory.position();
    bytes += length;
    ByteBuffer last = end == 0 ? null : buffers[end - 1];
    if (last != null && lastMemory == memory && limits[end - 1] == to - length) {
      last.limit(to);
      limits[end - 1] = to;
      return;
    }
    ByteBuffer view = memory.duplicate();
    view.limit(to).position(to - length);
    lastMemory = memory;
    if (end == buffers.length) {
      int longer = Math.max(FIRST_BUFFERS, 2 * end);
      buffers = Arrays.copyOf(buffers, longer);
      limits = Arrays.copyOf(limits, longer);
    }
    limits[end] = to;
    buffers[end++] = view;
    used = Math.max(used, end);
  }

  /** A part of a transfer in this batch. */
  private record Portion(Transfer transfer, long from, long to, boolean last) {}
}
