package io.arraywire;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends many small arrays of one type and length as the rows of larger ones: for streams in which
 * the work that every array makes of its own, a frame, a place in the queue, an acknowledgement,
 * would cost more than its elements.
 *
 * <p>Rows are copied when they are written, so that they are the caller's at once. They leave when
 * a batch is full, or with {@link #flush()}. A batch is an array of the shape {@code [rows, row
 * length]}, which a {@link RowReader} takes apart, and any other receiver gets whole. At most two
 * batches are on their way; then {@link #write(Object, int)} waits until the older one is
 * acknowledged. So memory for two batches is all that it takes, and a receiver that does not read
 * holds the writer up.
 *
 * <p>For one thread at a time. What else is sent with the same {@link ArrayOutput} goes between
 * batches.
 */
public final class RowWriter implements AutoCloseable {
  private static final int BATCHES = 2;

  private final ArrayOutput output;
  private final int rowLength;
  private final int rowsPerBatch;
  private final SendOptions options;
  private final SendOptions optionsOfFull;
  private final Batch[] batches;

  /** The one that is being filled. */
  private int current;

  /** Rows of one array, being filled or on their way. */
  private static final class Batch {
    final Object memory;
    final ArraySlice full;
    int rows;

    /** Null if nothing of it is on its way. */
    @Nullable CompletableFuture<Receipt> sent;

    Batch(Object memory) {
      this.memory = memory;
      full = ArraySlice.ofArray(memory);
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
    if (elements > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "a batch has more elements than an array can have (rowLength="
              + rowLength
              + ", rowsPerBatch="
              + rowsPerBatch
              + ", limit="
              + Integer.MAX_VALUE
              + ")");
    }
    optionsOfFull = options.shape(rowsPerBatch, rowLength);
    batches = new Batch[BATCHES];
    for (int i = 0; i < BATCHES; i++) {
      batches[i] = new Batch(type.newArray((int) elements));
    }
  }

  private static int positive(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1 (" + name + "=" + value + ")");
    }
    return value;
  }

  /**
   * Makes a writer whose batches count as sent when the far side has processed them.
   *
   * @param output takes the batches, a connection or a channel; it stays open
   * @param type of the elements
   * @param rowLength elements in each row, at least 1
   * @param rowsPerBatch rows that leave together, at least 1
   * @return the writer
   * @throws IllegalArgumentException if a number is less than 1, or a batch would be no array
   */
  public static RowWriter of(
      ArrayOutput output, ElementType type, int rowLength, int rowsPerBatch) {
    return of(output, type, rowLength, rowsPerBatch, SendOptions.processed());
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
   * @throws IllegalArgumentException if a number is less than 1, a batch would be no array, or the
   *     options have a timeout
   */
  public static RowWriter of(
      ArrayOutput output, ElementType type, int rowLength, int rowsPerBatch, SendOptions options) {
    return new RowWriter(output, type, rowLength, rowsPerBatch, options);
  }

  /**
   * Writes a row; copies it, and may wait for a batch that was sent before.
   *
   * @param array of the writer's type
   * @param offset where in it the row begins
   * @throws IllegalArgumentException if the array is of another type
   * @throws IndexOutOfBoundsException if the row does not lie in the array
   * @throws ArraywireException if a batch that was written before, or the one that this row
   *     completes, cannot be sent; its rows are not sent again
   * @throws InterruptedException if the caller is interrupted while it waits; the row is not
   *     written
   */
  public void write(Object array, int offset) throws ArraywireException, InterruptedException {
    Batch batch = batches[current];
    Objects.requireNonNull(array, "array");
    if (array.getClass() != batch.memory.getClass()) {
      throw new IllegalArgumentException(
          "rows of another type (type="
              + array.getClass().getTypeName()
              + ", writer="
              + batch.memory.getClass().getTypeName()
              + ")");
    }
    awaitSent(batch);
    System.arraycopy(array, offset, batch.memory, batch.rows * rowLength, rowLength);
    batch.rows++;
    if (batch.rows == rowsPerBatch) {
      send(batch);
    }
  }

  /**
   * Writes a row.
   *
   * @param row as many elements as a row has, of the writer's type
   * @throws IllegalArgumentException if it has another length or type
   * @throws ArraywireException as {@link #write(Object, int)}
   * @throws InterruptedException as {@link #write(Object, int)}
   */
  public void write(ArraySlice row) throws ArraywireException, InterruptedException {
    if (row.length() != rowLength) {
      throw new IllegalArgumentException(
          "a row of another length (length=" + row.length() + ", rowLength=" + rowLength + ")");
    }
    write(row.array(), row.offset());
  }

  /**
   * Sends what was written, and waits until every batch is as far as the options say.
   *
   * @throws ArraywireException if a batch cannot be sent; its rows are not sent again
   * @throws InterruptedException if the caller is interrupted; what was sent is on its way all the
   *     same
   */
  public void flush() throws ArraywireException, InterruptedException {
    if (batches[current].rows > 0) {
      send(batches[current]);
    }
    for (int i = 0; i < BATCHES; i++) {
      awaitSent(batches[(current + i) % BATCHES]);
    }
  }

  /**
   * Does what {@link #flush()} does. The connection stays open.
   *
   * @throws DeliveryUnknownException if the caller is interrupted while it waits, which it is still
   *     when this throws
   * @throws ArraywireException as {@code flush}
   */
  @Override
  public void close() throws ArraywireException {
    try {
      flush();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DeliveryUnknownException(
          "interrupted before the last rows were acknowledged; they were processed once or not at"
              + " all",
          "rowLength",
          rowLength,
          "rowsPerBatch",
          rowsPerBatch);
    }
  }

  private void send(Batch batch) throws ArraywireException, InterruptedException {
    boolean full = batch.rows == rowsPerBatch;
    ArraySlice slice =
        full ? batch.full : ArraySlice.ofArray(batch.memory, 0, batch.rows * rowLength);
    SendOptions with = full ? optionsOfFull : options.shape(batch.rows, rowLength);
    batch.rows = 0;
    batch.sent = output.sendAsync(slice, with).toCompletableFuture();
    current = (current + 1) % BATCHES;
    if (batch.sent.isCompletedExceptionally()) {
      try {
        awaitSent(batch);
      } catch (SendQueueFullException e) {
        // Others send, too: this waits for its turn.
        var unused = output.send(slice, with);
      }
    }
  }

  private static void awaitSent(Batch batch) throws ArraywireException, InterruptedException {
    CompletableFuture<Receipt> sent = batch.sent;
    if (sent == null) {
      return;
    }
    try {
      var unused = sent.get();
      batch.sent = null;
    } catch (ExecutionException e) {
      batch.sent = null;
      throw failure(e.getCause());
    }
  }

  private static ArraywireException failure(@Nullable Throwable cause) {
    if (cause instanceof ArraywireException typed) {
      return typed;
    }
    if (cause instanceof RuntimeException bug) {
      throw bug;
    }
    if (cause instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("a send failed with what no send throws", cause);
  }
}
