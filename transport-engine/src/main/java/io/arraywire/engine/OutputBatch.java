package io.arraywire.engine;

import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import io.arraywire.spi.PooledMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Whole frames, ready to be written: buffers to gather into one write. Used by the writing thread
 * only.
 *
 * <p>Over direct memory, headers and payloads lie in memory of their own and are gathered. Over
 * heap memory, which a stream cannot gather, they follow each other in one buffer.
 */
final class OutputBatch implements Output {
  /**
   * What one batch may hold. With half of it, 64 MiB took 1.3 times as long over loopback. A
   * receiver that is done before the next write leaves the kernel's work for both to the sender.
   */
  static final int BATCH_BYTES = 512 << 10;

  /** What a batch holds when only control frames and small arrays wait. */
  static final int SMALL_BATCH_BYTES = 16 << 10;

  /** Those of frames that are too large to stand beside each other in one buffer. */
  private static final int HEADERS_BYTES = BatchPlan.MOST_LARGE_FRAMES * FrameLayout.HEADER_BYTES;

  /**
   * A smaller one has no memory for headers that stand apart: taking it costs a small array time.
   */
  private static final int LARGE_BATCH_BYTES = 64 << 10;

  private static final ByteBuffer[] NO_BUFFERS = {};
  private static final int[] NO_LIMITS = {};
  private static final int FIRST_BUFFERS = 8;

  /** Views that are kept when the memory is given back, for a pool often lends the same again. */
  private static final int KEPT_VIEWS = 4;

  // These grow with use.
  private ByteBuffer[] buffers = NO_BUFFERS;
  private int[] limits = NO_LIMITS;

  /** The memory that each buffer is a view of: where it comes again, so does the view. */
  private @Nullable ByteBuffer[] viewed = NO_BUFFERS;

  /** The frames, and the first of them that is not written whole. */
  private final BatchPlan plan = new BatchPlan();

  private int firstFrame;
  private int first;
  private int end;

  /** How many buffers there were at most since the memory was taken. */
  private int used;

  /** What follows the buffers, straight from an array, if anything does. */
  private @Nullable OutboundArray arrayDirect;

  private int arrayDirectBytes;

  /** Bytes of one operation, where each element has one of its own; else 0. */
  private int unit;

  /** Bytes before the elements, which are left to one operation. */
  private int lead;

  private boolean movesArrays;
  private long bytes;
  private long written;

  private MemoryKind kind = MemoryKind.HEAP;
  private int stagingBytes;
  private int plannedBytes;

  /** Whether it is encoded into memory of the channel. */
  private boolean inPlace;

  private @Nullable PooledMemory staging;

  /** Only in a large batch of direct memory. */
  private @Nullable PooledMemory headers;

  /** What was given back last, to be lent again in the same object. */
  private @Nullable PooledMemory stagingLoan;

  private @Nullable PooledMemory headersLoan;
  private @Nullable ByteBuffer stagingSpace;
  private @Nullable ByteBuffer headerSpace;

  /** The memory that the last buffer is a view of. */
  private @Nullable ByteBuffer lastMemory;

  /** Of the frame that is being made, and where it goes. */
  private final FrameHeader header = new FrameHeader();

  private @Nullable ByteBuffer headerMemory;
  private int headerAt;
  private long fullSince = LinkRate.NEVER;

  /** For frames that hold blocks. */
  final BlockScratch blocks = new BlockScratch();

  OutputBatch() {}

  @Override
  public ByteBuffer[] buffers() {
    return buffers;
  }

  @Override
  public int first() {
    return first;
  }

  /** One only, where the codec moves elements one by one. */
  @Override
  public int count() {
    return unit > 0 ? Math.min(1, end - first) : end - first;
  }

  @Override
  public boolean movesArrays() {
    return movesArrays;
  }

  @Override
  public int arrayBytes() {
    return (int) Math.min(arrayDirectBytes, bytes - written);
  }

  @Override
  public void full(long nanosAgo) {
    fullSince = nanosAgo;
  }

  /** How long ago the channel was full, if it was at the last write; asks once for each. */
  long takeFull() {
    long was = fullSince;
    fullSince = LinkRate.NEVER;
    return was;
  }

  @Override
  public long remaining() {
    return bytes - written;
  }

  @Override
  public boolean isInPlace() {
    return inPlace;
  }

  /** The frames that it is to hold, and then holds. */
  BatchPlan plan() {
    return plan;
  }

  /**
   * Begins a plan, for the memory that it has or for what it needs instead.
   *
   * @param wanted the kind of memory
   * @param bytes how much it takes, if it takes any
   * @param bytesOfLarge from how many bytes on memory is that of a large batch
   */
  void prepare(MemoryKind wanted, int bytes, int bytesOfLarge) {
    boolean small = bytes < bytesOfLarge;
    if (staging != null
        && kind == wanted
        && capacity() >= bytes
        && small == capacity() < bytesOfLarge) {
      plannedBytes = capacity();
      plan.begin(plannedBytes);
    } else {
      release();
      kind = wanted;
      stagingBytes = bytes;
      plannedBytes = bytes;
      plan.begin(bytes);
    }
  }

  /** How many bytes the plan is for. */
  int plannedBytes() {
    return plannedBytes;
  }

  /** Takes memory for what is planned, unless the channel has offered some of its own. */
  void begin(MemoryPool pool, @Nullable ByteBuffer offered) {
    inPlace = offered != null;
    if (offered != null) {
      releaseMemory();
      // No more than otherwise: heartbeats and other channels wait behind it.
      stagingSpace = offered.slice(0, Math.min(offered.capacity(), plannedBytes));
    } else if (staging == null) {
      staging = acquire(pool, stagingLoan, stagingBytes, kind);
      stagingLoan = staging;
      stagingSpace = staging.buffer();
      if (stagingSpace.isDirect() && stagingBytes >= LARGE_BATCH_BYTES) {
        headers = acquire(pool, headersLoan, HEADERS_BYTES, kind);
        headersLoan = headers;
        headerSpace = headers.buffer();
      }
    }
    space().clear();
    if (headerSpace != null) {
      headerSpace.clear();
    }
    firstFrame = 0;
    lastMemory = null;
    headerMemory = null;
    first = 0;
    end = 0;
    unit = 0;
    lead = 0;
    arrayDirect = null;
    arrayDirectBytes = 0;
    movesArrays = false;
    bytes = 0;
    written = 0;
  }

  private static PooledMemory acquire(
      MemoryPool pool, @Nullable PooledMemory before, int bytes, MemoryKind wanted) {
    return before == null ? pool.acquire(bytes, wanted) : pool.acquireAgain(before, bytes, wanted);
  }

  /** Gives the memory back; nothing may be left to write. */
  void release() {
    releaseMemory();
    first = 0;
    end = 0;
    arrayDirect = null;
    arrayDirectBytes = 0;
    bytes = 0;
    written = 0;
    plan.clear();
    firstFrame = 0;
  }

  private void releaseMemory() {
    stagingSpace = null;
    headerSpace = null;
    headerMemory = null;
    lastMemory = null;
    if (used > KEPT_VIEWS) {
      Arrays.fill(buffers, KEPT_VIEWS, used, null);
      Arrays.fill(viewed, KEPT_VIEWS, used, null);
      used = KEPT_VIEWS;
    }
    if (staging != null) {
      staging.release();
      staging = null;
    }
    if (headers != null) {
      headers.release();
      headers = null;
    }
  }

  private int capacity() {
    return space().capacity();
  }

  /**
   * Leaves room for a header, which is to be filled in and then written by {@link #putHeader}.
   *
   * @param stagedBytes what follows it in {@link #space()}
   */
  FrameHeader beginFrame(FrameType type, long stagedBytes) {
    ByteBuffer apart = stagedBytes > BatchPlan.SMALL_FRAME_BYTES ? headerSpace : null;
    ByteBuffer at = apart == null ? space() : apart;
    headerMemory = at;
    headerAt = at.position();
    at.position(headerAt + FrameLayout.HEADER_BYTES);
    append(at, FrameLayout.HEADER_BYTES);
    return header.clear(type);
  }

  /** Writes the header of the frame that was begun last. */
  void putHeader() {
    ByteBuffer at = headerMemory;
    if (at == null) {
      throw new IllegalStateException("no frame was begun");
    }
    int position = at.position();
    ByteOrder order = at.order();
    header.write(at.position(headerAt));
    at.order(order).position(position);
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

  /** Notes where a planned frame lies that was made since {@code begin} bytes. */
  void endFrame(PlannedFrame frame, long begin) {
    frame.from = begin;
    frame.to = bytes;
    movesArrays |= frame.bytes == null;
  }

  /** How many bytes are made. */
  long bytes() {
    return bytes;
  }

  /** Appends bytes that are not a frame of their own making. */
  void appendBytes(byte[] more) {
    int from = space().position();
    space().put(more);
    append(from);
  }

  /** Appends what the channel is to take straight from an array; nothing can follow it. */
  void appendArrayDirect(OutboundArray array, int length) {
    arrayDirect = array;
    arrayDirectBytes = length;
    bytes += length;
  }

  @Override
  public long writeArray(ArrayIo io, int atMost) throws IOException {
    if (arrayDirect == null || first < end) {
      throw new IllegalStateException("there is no array whose turn it is");
    }
    return arrayDirect.writeArrayDirect(io, Math.min(atMost, arrayBytes()));
  }

  @Override
  public boolean gathersArray() {
    return arrayDirect != null && unit == 0 && arrayDirect.isInMemory();
  }

  @Override
  public long writeGathered(ArrayIo io, int atMost) throws IOException {
    if (arrayDirect == null) {
      throw new IllegalStateException("there is no array whose turn it is");
    }
    return arrayDirect.writeGathered(
        io, buffers, first, end - first, Math.min(atMost, arrayBytes()));
  }

  /** Has each element written by an operation of its own, after one for what precedes them. */
  void writeElementwise(int leadingBytes, int bytesPerOperation) {
    lead = leadingBytes;
    unit = bytesPerOperation;
    limitFirst();
  }

  /**
   * Notes progress and returns the arrays that are written whole, the first of a chain.
   *
   * @param operation the number of the write, counted for the connection
   */
  @Nullable OutboundArray wrote(long count, int operation) {
    long before = written;
    written += count;
    OutboundArray whole = null;
    OutboundArray lastWhole = null;
    while (firstFrame < plan.size() && plan.get(firstFrame).from < written) {
      PlannedFrame frame = plan.get(firstFrame);
      OutboundArray array = frame.array;
      if (array != null) {
        array.countOperation(operation);
      }
      if (frame.to > written) {
        break;
      }
      firstFrame++;
      if (array == null) {
        continue;
      }
      array.wireBytes += frame.to - frame.from;
      if (frame.last) {
        if (lastWhole == null) {
          whole = array;
        } else {
          lastWhole.next = array;
        }
        lastWhole = array;
      }
    }
    if (written > bytes || written < before) {
      throw new IllegalStateException(
          "the link wrote more than its bytes (wrote=" + count + ", of=" + (bytes - before) + ")");
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
    lastMemory = memory;
    if (end == buffers.length) {
      int longer = Math.max(FIRST_BUFFERS, 2 * end);
      buffers = Arrays.copyOf(buffers, longer);
      limits = Arrays.copyOf(limits, longer);
      viewed = Arrays.copyOf(viewed, longer);
    }
    if (viewed[end] != memory) {
      buffers[end] = memory.duplicate();
      viewed[end] = memory;
    }
    buffers[end].limit(to).position(to - length);
    limits[end] = to;
    end++;
    used = Math.max(used, end);
  }
}
