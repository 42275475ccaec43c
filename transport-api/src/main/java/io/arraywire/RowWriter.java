package io.arraywire;

import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends many small arrays of one type and length as the rows of larger ones. It is for streams in
 * which the frame, the place in the queue and the acknowledgement of each array would cost more
 * than its elements.
 *
 * <p>Rows are copied when they are written, so that they are the caller's at once. They leave when
 * a batch is full, or with {@link #flush()}. A batch is an array of the shape {@code [rows, row
 * length]}, which a {@link RowReader} takes apart, and any other receiver gets whole. At most two
 * batches are in flight; then {@link #write(Object, int)} waits until the older one has reached the
 * delivery that the options name. So the writer needs memory for two batches, and a receiver that
 * does not read holds it up. If a batch has not left whole and nothing has moved for {@link
 * TransportOptions#sendTimeout()}, the writer fails with {@link TimedOutException} ({@link
 * ErrorCode#SEND_TIMEOUT}). Two batches should fit {@link TransportOptions#sendQueueBytes()}.
 *
 * <p>When a batch fails, so does the writer, for good: the failure is thrown once, by whichever
 * call finds it. Rows of that batch are not sent again; rows that were sent after it may have
 * arrived. An interrupt loses no row, and sends none twice. Only if a batch waits behind arrays
 * that others have queued does an interrupt fail the writer, with {@link DeliveryUnknownException}.
 *
 * <p>For one thread at a time. What else is sent with the same {@link ArrayOutput} goes between
 * batches. Not for plain mode, which knows no shapes.
 */
public final class RowWriter implements AutoCloseable {
  private static final int BATCHES = 2;

  /** The longest array that every JVM can make. */
  private static final int MOST_ELEMENTS = Integer.MAX_VALUE - 8;

  private final ArrayOutput output;
  private final int rowLength;
  private final int rowsPerBatch;
  private final SendOptions options;
  private final SendOptions optionsOfFull;
  private final Batch[] batches;

  /** The one that is being filled, or is full and waits for its place in the queue. */
  private int current;

  private boolean interrupted;
  private boolean closed;

  /** Why it can no longer be used; told already. */
  private @Nullable Throwable failure;

  /** Rows of one array, being filled or in flight. */
  private static final class Batch {
    final Object memory;
    final ArraySlice full;
    int rows;

    /** Null if nothing of it is in flight. */
    @Nullable CompletableFuture<Receipt> sent;

    Batch(ElementType type, int elements) {
      memory = type.newArray(elements);
      full = ArraySlice.ofArray(memory).as(type);
    }
  }

  private RowWriter(
      ArrayOutput output, ElementType type, int rowLength, int rowsPerBatch, SendOptions options) {
    this.output = Objects.requireNonNull(output, "output");
    Objects.requireNonNull(type, "type");
    this.rowLength = positive(rowLength, "rowLength");
    this.rowsPerBatch = positive(rowsPerBatch, "rowsPerBatch");
    this.options = Objects.requireNonNull(options, "options");
    if (options.timeout() != null) {
      throw new IllegalArgumentException(
          "rows are sent without waiting for each batch, so options with a timeout do not go with"
              + " them (timeout="
              + options.timeout()
              + ")");
    }
    long elements = (long) rowLength * rowsPerBatch;
    if (elements > MOST_ELEMENTS) {
      throw new IllegalArgumentException(
          "a batch has more elements than an array can have (rowLength="
              + rowLength
              + ", rowsPerBatch="
              + rowsPerBatch
              + ", limit="
              + MOST_ELEMENTS
              + ")");
    }
    optionsOfFull = options.shape(rowsPerBatch, rowLength);
    batches = new Batch[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
      batches[i] = new Batch(type, (int) elements);
    }
  }

  private static int positive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1 (" + name + "=" + value + ")");
    }
    return value;
  }

  /**
   * Makes a writer whose batches are sent with {@link SendOptions#defaults()}: they count as sent
   * when the kernel has them.
   *
   * @param output takes the batches, a connection or a channel; it stays open
   * @param type of the elements
   * @param rowLength elements in each row, at least 1
   * @param rowsPerBatch rows that leave together, at least 1
   * @return the writer
   * @throws IllegalArgumentException if a number is less than 1, or a batch would have more
   *     elements than an array can
   */
  public static RowWriter of(
      ArrayOutput output, ElementType type, int rowLength, int rowsPerBatch) {
    return of(output, type, rowLength, rowsPerBatch, SendOptions.defaults());
  }

  /**
   * The same with options of the caller's.
   *
   * @param output takes the batches, a connection or a channel; it stays open
   * @param type of the elements
   * @param rowLength elements in each row, at least 1
   * @param rowsPerBatch rows that leave together, at least 1
   * @param options of every batch, without a timeout; their shape is replaced
   * @return the writer
   * @throws IllegalArgumentException if a number is less than 1, a batch would have more elements
   *     than an array can, or the options have a timeout
   */
  public static RowWriter of(
      ArrayOutput output, ElementType type, int rowLength, int rowsPerBatch, SendOptions options) {
    return new RowWriter(output, type, rowLength, rowsPerBatch, options);
  }

  /**
   * Writes a row: copies it. Before that it may wait for a batch that was written before.
   *
   * @param array of the writer's type
   * @param offset where in it the row begins
   * @throws IllegalArgumentException if the array is of another type, or the connection refuses
   *     arrays of this type, with a shape or with these options
   * @throws IndexOutOfBoundsException if the row does not lie in the array
   * @throws IllegalStateException if the writer is closed or has failed before
   * @throws ArraywireException if a batch could not be sent
   * @throws InterruptedException if the caller is interrupted while it waits; the row is not
   *     written
   */
  public void write(Object array, int offset) throws ArraywireException, InterruptedException {
    int length = checkedLength(array);
    if (offset < 0 || offset > length - rowLength) {
      throw new IndexOutOfBoundsException(
          "the row does not lie in the array; it needs rowLength elements from the offset on"
              + " (offset="
              + offset
              + ", rowLength="
              + rowLength
              + ", length="
              + length
              + ")");
    }
    checkUsable();
    Batch batch = roomyBatch();
    System.arraycopy(array, offset, batch.memory, batch.rows * rowLength, rowLength);
    batch.rows++;
    if (batch.rows == rowsPerBatch) {
      // If the queue is full, the next call that may wait takes the batch's place in it.
      var unused = sendNow(batch);
    }
  }

  private void checkLength(int length) {
    if (length != rowLength) {
      throw new IllegalArgumentException(
          "a row must have rowLength elements (length="
              + length
              + ", rowLength="
              + rowLength
              + ")");
    }
  }

  private int checkedLength(Object array) {
    Objects.requireNonNull(array, "array");
    Class<?> type = batches[current].memory.getClass();
    if (array.getClass() != type) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the row has another type than the writer; give one of the writer's",
              "type",
              MessageText.kind(array),
              "writer",
              MessageText.kind(batches[current].memory)));
    }
    return Array.getLength(array);
  }

  /**
   * Writes a row that is a whole array.
   *
   * @param row an array of the writer's type with as many elements as a row has
   * @throws IllegalArgumentException if it has another length, and as {@link #write(Object, int)}
   * @throws ArraywireException as {@link #write(Object, int)}
   * @throws InterruptedException as {@link #write(Object, int)}
   */
  public void write(Object row) throws ArraywireException, InterruptedException {
    checkLength(checkedLength(row));
    write(row, 0);
  }

  /**
   * Writes a row.
   *
   * @param row as many elements as a row has, of the writer's type
   * @throws IllegalArgumentException if it has another length, and as {@link #write(Object, int)}
   * @throws ArraywireException as {@link #write(Object, int)}
   * @throws InterruptedException as {@link #write(Object, int)}
   */
  public void write(ArraySlice row) throws ArraywireException, InterruptedException {
    checkLength(row.length());
    ElementType type = batches[current].full.type();
    if (row.type() != type) {
      throw new IllegalArgumentException(
          "the row has another type than the writer; give one of the writer's (type="
              + row.type().typeName()
              + ", writer="
              + type.typeName()
              + ")");
    }
    write(row.array(), row.offset());
  }

  /**
   * Sends what was written, and waits, for as long as the connection lives, until every batch has
   * reached the delivery that the options name.
   *
   * @throws IllegalArgumentException as {@link #write(Object, int)}
   * @throws IllegalStateException as {@link #write(Object, int)}
   * @throws ArraywireException if a batch could not be sent
   * @throws InterruptedException if the caller is interrupted while it waits; what was sent arrives
   *     all the same, and what was not can be flushed again
   */
  public void flush() throws ArraywireException, InterruptedException {
    checkUsable();
    if (batches[current].rows > 0) {
      sendInTurn(batches[current]);
    }
    awaitAll();
  }

  /**
   * Does what {@link #flush()} does, unless the writer has failed or {@link #write} or {@code
   * flush} was interrupted before; then it does not wait. The connection stays open. Idempotent.
   *
   * @throws DeliveryUnknownException if the caller is or was interrupted and rows are not
   *     acknowledged, or never left; an interrupt of this call is not cleared
   * @throws ArraywireException as {@code flush}
   */
  @Override
  public void close() throws ArraywireException {
    if (closed || failure != null) {
      closed = true;
      return;
    }
    try {
      if (!interrupted) {
        flush();
      } else if (isOutstanding()) {
        throw notAcknowledged();
      } else {
        awaitAll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw notAcknowledged();
    } finally {
      closed = true;
    }
  }

  private boolean isOutstanding() {
    boolean outstanding = false;
    for (Batch batch : batches) {
      outstanding |= batch.rows > 0 || (batch.sent != null && !batch.sent.isDone());
    }
    return outstanding;
  }

  private DeliveryUnknownException notAcknowledged() {
    return new DeliveryUnknownException(
        "interrupted before the last rows were acknowledged; those that left were processed once"
            + " or not at all",
        "notSent",
        batches[current].rows,
        "rowsPerBatch",
        rowsPerBatch);
  }

  private void checkUsable() {
    if (closed) {
      throw new IllegalStateException("the writer is closed");
    }
    if (failure != null) {
      throw new IllegalStateException("the writer has failed before; make another one", failure);
    }
  }

  /** The batch that the next row goes into, which is no longer in flight. */
  private Batch roomyBatch() throws ArraywireException, InterruptedException {
    if (batches[current].rows == rowsPerBatch) {
      sendInTurn(batches[current]);
    }
    Batch batch = batches[current];
    awaitSent(batch);
    return batch;
  }

  /** Sends a batch, without waiting; returns whether there was a place for it in the queue. */
  private boolean sendNow(Batch batch) throws ArraywireException {
    CompletableFuture<Receipt> sent =
        output.sendAsync(slice(batch), optionsOf(batch)).toCompletableFuture();
    if (sent.isCompletedExceptionally()) {
      Throwable cause = cause(sent);
      if (ErrorCode.SEND_QUEUE_FULL.isOf(cause)) {
        return false;
      }
      throw failed(cause);
    }
    batch.sent = sent;
    batch.rows = 0;
    current = (current + 1) % BATCHES;
    return true;
  }

  /** Sends a batch as soon as there is a place for it. */
  private void sendInTurn(Batch batch) throws ArraywireException, InterruptedException {
    if (sendNow(batch)) {
      return;
    }
    // What it has sent itself may be what fills the queue.
    awaitSent(batches[(current + 1) % BATCHES]);
    if (sendNow(batch)) {
      return;
    }
    try {
      var unused = output.send(slice(batch), optionsOf(batch));
      batch.rows = 0;
    } catch (ArraywireException e) {
      failure = e;
      throw e;
    } catch (InterruptedException e) {
      // It may have left whole, so it can neither be sent again nor be forgotten.
      Thread.currentThread().interrupt();
      DeliveryUnknownException unknown = notAcknowledged();
      failure = unknown;
      throw unknown;
    }
  }

  private ArraySlice slice(Batch batch) {
    return batch.rows == rowsPerBatch
        ? batch.full
        : ArraySlice.ofArray(batch.memory, 0, batch.rows * rowLength).as(batch.full.type());
  }

  private SendOptions optionsOf(Batch batch) {
    return batch.rows == rowsPerBatch ? optionsOfFull : options.shape(batch.rows, rowLength);
  }

  private void awaitAll() throws ArraywireException, InterruptedException {
    ArraywireException first = null;
    for (int i = 0; i < BATCHES; i++) {
      try {
        awaitSent(batches[(current + i) % BATCHES]);
      } catch (ArraywireException e) {
        if (first == null) {
          first = e;
        } else if (!Objects.equals(e.getMessage(), first.getMessage())) {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void awaitSent(Batch batch) throws ArraywireException, InterruptedException {
    CompletableFuture<Receipt> sent = batch.sent;
    if (sent == null) {
      return;
    }
    try {
      var unused = sent.get();
      batch.sent = null;
    } catch (InterruptedException e) {
      interrupted = true;
      throw e;
    } catch (ExecutionException e) {
      batch.sent = null;
      throw failed(e.getCause());
    }
  }

  private static @Nullable Throwable cause(CompletableFuture<Receipt> failed) {
    try {
      var unused = failed.getNow(null);
      return null;
    } catch (CompletionException e) {
      return e.getCause();
    } catch (CancellationException e) {
      return e;
    }
  }

  /** Notes why it can no longer be used. */
  private ArraywireException failed(@Nullable Throwable cause) {
    failure = cause;
    if (cause instanceof ArraywireException typed) {
      // It is the stage's, whose thread made it.
      return typed.forCaller();
    }
    if (cause instanceof RuntimeException bug) {
      throw bug;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException(
        "a send failed with an exception that sends do not throw", cause);
  }
}
