package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.DeliveryUnknownException;
import io.arraywire.ElementType;
import io.arraywire.NoRoomException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.RowReader;
import io.arraywire.RowWriter;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TransportOptions;
import io.arraywire.testkit.TransportStage.Ends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Small arrays that travel together as the rows of larger ones. */
interface RowTests {
  TransportStage stage();

  @Test
  default void rowsArriveOneByOneAndInOrder() throws Exception {
    Ends ends = stage().ends();
    SeededArrays.check(arrays -> {
      for (ElementType type : ElementType.values()) {
        for (int length : new int[] {1, 16, 1001}) {
          for (int perBatch : new int[] {1, 7, 128}) {
            int rows = arrays.between(1, 3 * perBatch);
            Object all = arrays.array(type, rows * length);
            Running<Object> written =
                Running.start(() -> {
                  try (RowWriter writer =
                      RowWriter.of(ends.here(), type, length, perBatch, SendOptions.processed())) {
                    for (int i = 0; i < rows; i++) {
                      writer.write(all, i * length);
                    }
                  }
                  return "closed";
                });
            RowReader reader = RowReader.of(ends.there(), type, perBatch * length);
            Object read = type.newArray(rows * length + 2);
            for (int i = 0; i < rows; i++) {
              assertThat(reader.read(read, 1 + i * length)).isEqualTo(length);
            }
            assertThat(reader.ready()).isZero();
            Elements.assertSame(type, all, 0, read, 1, rows * length);
            assertThat(written.get()).isEqualTo("closed");
          }
        }
      }
    });
  }

  @Test
  default void aRowIsTheCallersAgainAtOnce() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.INT, 2, 3, SendOptions.processed());
    int[] row = new int[2];
    for (int i = 0; i < 3; i++) {
      row[0] = i;
      row[1] = -i;
      writer.write(row);
    }
    row[0] = 99;
    ReceivedArray batch = ends.there().receive();
    assertThat(batch.ints()).containsExactly(0, 0, 1, -1, 2, -2);
    assertThat(batch.header().attributes().shape()).containsExactly(3, 2);
    writer.close();
    assertThat(ends.here().isOpen()).isTrue();
  }

  @Test
  default void whatIsWrittenLeavesWithAFlush() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer =
        RowWriter.of(
            ends.here(), ElementType.LONG, 1, 1000, SendOptions.processed().tag(5).shape(1000));
    for (long i = 1; i <= 2; i++) {
      writer.write(new long[] {0, i}, 1);
      Running<Object> flushed =
          Running.start(() -> {
            writer.flush();
            return "flushed";
          });
      ReceivedArray batch = ends.there().receive();
      assertThat(batch.longs()).containsExactly(i);
      assertThat(batch.header().attributes().shape()).containsExactly(1, 1);
      assertThat(batch.header().attributes().tag()).isEqualTo(5);
      assertThat(flushed.get()).isEqualTo("flushed");
    }
    // Nothing is left, so nobody need receive.
    writer.flush();
  }

  @Test
  default void arraysThatCameAloneAreRows() throws Exception {
    Ends ends = stage().ends();
    RowReader reader = RowReader.of(ends.there(), ElementType.FLOAT, 8);
    float[] six = {1, 2, 3, 4, 5, 6};
    SendOptions handedOff = SendOptions.handedOff();
    ends.here().send(ArraySlice.of(six), handedOff);
    ends.here().send(ArraySlice.of(six), handedOff.shape(6));
    ends.here().send(ArraySlice.of(six), handedOff.shape(3, 2));
    ends.here().send(ArraySlice.of(six, 0, 0), handedOff.shape(0, 2));
    ends.here().send(ArraySlice.of(six, 0, 0), handedOff.shape(2, 0));
    ends.here().send(ArraySlice.of(six, 0, 0), handedOff.shape(Long.MAX_VALUE, 0));
    ends.here().send(ArraySlice.of(six, 0, 0), handedOff);
    ends.here().send(ArraySlice.of(new float[8]), handedOff.shape(2, 2, 2));
    List<Integer> lengths = new ArrayList<>();
    float[] row = new float[8];
    for (int i = 0; i < 7; i++) {
      lengths.add(reader.read(row));
      if (i == 3) {
        assertThat(row).startsWith(3, 4);
        assertThat(reader.ready()).isEqualTo(1);
      }
    }
    assertThat(lengths).containsExactly(6, 6, 2, 2, 2, 4, 4);
  }

  @Test
  default void whatDoesNotFitIsNotLost() throws Exception {
    Ends ends = stage().ends();
    RowReader reader = RowReader.of(ends.there(), ElementType.INT, 4);
    SendOptions handedOff = SendOptions.handedOff();
    ends.here().send(ArraySlice.of(new int[] {1, 2, 3, 4}), handedOff.shape(2, 2));
    assertThatExceptionOfType(TargetMismatchException.class)
        .isThrownBy(() -> reader.read(new int[5], 4))
        .withMessageContaining("rowLength=2")
        .withMessageContaining("room=1");
    int[] row = new int[2];
    assertThat(reader.read(row, 0)).isEqualTo(2);
    assertThat(row).containsExactly(1, 2);
    assertThat(reader.read(row, 0)).isEqualTo(2);
    assertThat(row).containsExactly(3, 4);

    ends.here().send(new int[5]);
    assertThatExceptionOfType(TargetMismatchException.class)
        .isThrownBy(() -> reader.read(row, 0))
        .withMessageContaining("count=5")
        .withMessageContaining("room=4");
    assertThat(ends.there().receive().ints()).hasSize(5);
    ends.here().send(new float[] {7});
    assertThatExceptionOfType(TargetMismatchException.class)
        .isThrownBy(() -> reader.read(row, 0))
        .withMessageContaining("arrayType=float");
    assertThat(ends.there().receive().floats()).containsExactly(7);
    ends.here().send(new int[] {8});
    assertThat(reader.read(row, 1)).isEqualTo(1);
    assertThat(row).containsExactly(3, 8);
  }

  @Test
  default void twoBatchesAreOnTheirWayAtMost() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.BYTE, 1, 2, SendOptions.processed());
    Running<Object> written =
        Running.start(() -> {
          for (byte i = 0; i < 5; i++) {
            writer.write(new byte[] {i}, 0);
          }
          return "written";
        });
    Eventually.until("it waits for an acknowledgement", () -> waits(written.thread()));
    assertThat(ends.there().receive().bytes()).containsExactly(0, 1);
    assertThat(written.get()).isEqualTo("written");
    assertThat(ends.there().receive().bytes()).containsExactly(2, 3);
    Running<Object> closed =
        Running.start(() -> {
          writer.close();
          return "closed";
        });
    assertThat(ends.there().receive().bytes()).containsExactly(4);
    assertThat(closed.get()).isEqualTo("closed");
  }

  @Test
  default void anInterruptInCloseLeavesTheOutcomeUnknown() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.BYTE, 1, 2, SendOptions.processed());
    writer.write(new byte[] {7}, 0);
    Running<Boolean> closed =
        Running.start(() -> {
          assertThatExceptionOfType(DeliveryUnknownException.class)
              .isThrownBy(writer::close)
              .withMessageContaining("rowsPerBatch=2");
          return Thread.interrupted();
        });
    Eventually.until("it waits for an acknowledgement", () -> waits(closed.thread()));
    closed.thread().interrupt();
    assertThat(closed.get()).isTrue();
    // In flight all the same.
    assertThat(ends.there().receive().bytes()).containsExactly(7);
    writer.close();
  }

  private static boolean waits(Thread thread) {
    Thread.State state = thread.getState();
    return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
  }

  /** Fills queue and credit with arrays of 400,000 bytes, until not one more goes anywhere. */
  private static List<CompletionStage<Receipt>> fill(Connection connection) throws Exception {
    List<CompletionStage<Receipt>> all = new ArrayList<>();
    Eventually.until(
        "credit is used up",
        () -> {
          offerUntilRefused(connection, all);
          return connection.describe().contains("waits for credit");
        });
    offerUntilRefused(connection, all);
    return all;
  }

  private static void offerUntilRefused(
      Connection connection, List<CompletionStage<Receipt>> accepted) {
    while (true) {
      CompletableFuture<Receipt> sent =
          connection
              .sendAsync(ArraySlice.of(new byte[400_000], 0, 400_000), SendOptions.processed())
              .toCompletableFuture();
      if (sent.isCompletedExceptionally()) {
        assertThatThrownBy(sent::get).hasCauseInstanceOf(NoRoomException.class);
        return;
      }
      accepted.add(sent);
    }
  }

  private static TransportOptions.Builder small(TransportOptions.Builder options) {
    return options.sendQueueBytes(1 << 20).inboxBytes(1 << 20);
  }

  /** What others have queued before is received before. */
  @Test
  default void aBatchWaitsForItsPlaceInAFullQueue() throws Exception {
    Ends ends = stage().ends(RowTests::small);
    List<CompletionStage<Receipt>> others = fill(ends.here());
    RowWriter writer =
        RowWriter.of(ends.here(), ElementType.BYTE, 500_000, 1, SendOptions.processed());
    // Does not wait, though the batch is full.
    writer.write(new byte[500_000], 0);
    Running<Object> closed =
        Running.start(() -> {
          writer.close();
          return "closed";
        });
    Eventually.until("it is in line", () -> ends.here().describe().contains("waitingSends"));
    for (int i = 0; i < others.size(); i++) {
      assertThat(ends.there().receive().header().count()).isEqualTo(400_000);
    }
    assertThat(ends.there().receive().header().count()).isEqualTo(500_000);
    assertThat(closed.get()).isEqualTo("closed");
    Eventually.all(others);
  }

  @Test
  default void anInterruptBehindOthersIsAFailure() throws Exception {
    Ends ends = stage().ends(RowTests::small);
    List<CompletionStage<Receipt>> others = fill(ends.here());
    RowWriter writer =
        RowWriter.of(ends.here(), ElementType.BYTE, 500_000, 1, SendOptions.processed());
    byte[] row = new byte[500_000];
    writer.write(row, 0);
    Running<Boolean> second =
        Running.start(() -> {
          assertThatExceptionOfType(DeliveryUnknownException.class)
              .isThrownBy(() -> writer.write(row, 0))
              .withMessageContaining("notSent=1");
          return Thread.interrupted();
        });
    Eventually.until("it is in line", () -> ends.here().describe().contains("waitingSends"));
    second.thread().interrupt();
    assertThat(second.get()).isTrue();
    assertThatIllegalStateException().isThrownBy(() -> writer.write(row, 0));
    writer.close();
    for (int i = 0; i < others.size(); i++) {
      assertThat(ends.there().receive().header().count()).isEqualTo(400_000);
    }
  }

  @Test
  default void anInterruptedWriteCanBeRepeated() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.BYTE, 1, 2, SendOptions.processed());
    for (byte i = 0; i < 4; i++) {
      writer.write(new byte[] {i}, 0);
    }
    for (int time = 0; time < 2; time++) {
      Running<Object> fifth =
          Running.start(() -> {
            writer.write(new byte[] {4}, 0);
            return "written";
          });
      Eventually.until("it waits for an acknowledgement", () -> waits(fifth.thread()));
      fifth.thread().interrupt();
      assertThat(fifth.failure()).isInstanceOf(InterruptedException.class);
    }
    assertThat(ends.there().receive().bytes()).containsExactly(0, 1);
    writer.write(new byte[] {4}, 0);
    assertThat(ends.there().receive().bytes()).containsExactly(2, 3);
    // An interrupted caller does not want to wait: two rows have not left, and that is said.
    assertThatExceptionOfType(DeliveryUnknownException.class)
        .isThrownBy(writer::close)
        .withMessageContaining("notSent=1");
    writer.close();
  }

  @Test
  default void aBatchThatIsRefusedFailsTheWriter() throws Exception {
    Connection connection =
        stage()
            .connectionTo((from, array) -> {
              throw new IllegalStateException("not these");
            });
    RowWriter writer = RowWriter.of(connection, ElementType.INT, 1, 1, SendOptions.processed());
    int[] row = {3};
    // An answer may be there before the write returns; then the write throws.
    assertThatExceptionOfType(RemoteRejectedException.class)
        .isThrownBy(() -> {
          writer.write(row, 0);
          writer.flush();
        })
        .withMessageContaining("not these");
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.write(row, 0))
        .withMessageContaining("failed before");
    // Told already.
    writer.close();
  }

  @Test
  default void plainModeKnowsNoRows() throws Exception {
    Ends ends = stage().ends(options -> options.plain(ElementType.FLOAT));
    RowWriter writer = RowWriter.of(ends.here(), ElementType.FLOAT, 2, 1, SendOptions.processed());
    assertThatIllegalArgumentException().isThrownBy(() -> writer.write(new float[2], 0));
    // The row is there, and nobody is told that it has gone.
    assertThatIllegalArgumentException().isThrownBy(writer::close);
  }

  @Test
  default void theEndOfTheConnectionIsTold() throws Exception {
    Ends ends = stage().ends();
    RowWriter writer = RowWriter.of(ends.here(), ElementType.INT, 1, 1, SendOptions.processed());
    RowReader reader = RowReader.of(ends.there(), ElementType.INT, 1);
    writer.write(new int[] {3}, 0);
    int[] row = new int[1];
    assertThat(reader.read(row, 0)).isEqualTo(1);
    writer.flush();
    ends.here().closeNow();
    assertThatExceptionOfType(ArraywireException.class).isThrownBy(() -> reader.read(row, 0));
    assertThatExceptionOfType(ArraywireException.class).isThrownBy(() -> writer.write(row, 0));
    assertThatIllegalStateException().isThrownBy(writer::flush);
    writer.close();
  }

  @Test
  default void misuseOfRowsIsNamed() throws Exception {
    Ends ends = stage().ends();
    ElementType type = ElementType.INT;
    RowWriter writer = RowWriter.of(ends.here(), type, 2, 3, SendOptions.processed());
    RowReader reader = RowReader.of(ends.there(), type, 6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowWriter.of(ends.here(), type, 0, 3, SendOptions.processed()))
        .withMessageContaining("rowLength=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowWriter.of(ends.here(), type, 2, -1, SendOptions.processed()))
        .withMessageContaining("rowsPerBatch=-1");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> RowWriter.of(ends.here(), type, 1 << 16, 1 << 15, SendOptions.processed()))
        .withMessageContaining("rowLength=65536, rowsPerBatch=32768, limit=2147483639");
    SendOptions inTime = SendOptions.processed().timeout(Duration.ofSeconds(7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowWriter.of(ends.here(), type, 2, 3, inTime))
        .withMessageContaining("timeout=PT7S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RowReader.of(ends.there(), type, 0))
        .withMessageContaining("capacity=0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write(new float[2], 0))
        .withMessageContaining("type=float[], writer=int[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write(ArraySlice.of(new int[3])))
        .withMessageContaining("length=3, rowLength=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write(new int[3]))
        .withMessageContaining("length=3, rowLength=2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> writer.write(new float[2]))
        .withMessageContaining("type=float[], writer=int[]");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> writer.write(new int[2], 1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader.read(new float[2], 0))
        .withMessageContaining("type=float[], reader=int[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader.read(ArraySlice.of(new float[2])))
        .withMessageContaining("type=float, reader=int");
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> reader.read(new int[2], 3));
    // None of it has left a trace.
    writer.write(new int[] {4, 5}, 0);
    Running<Object> closed =
        Running.start(() -> {
          writer.close();
          return "closed";
        });
    assertThat(ends.there().receive().ints()).containsExactly(4, 5);
    assertThat(closed.get()).isEqualTo("closed");
    assertThatIllegalStateException()
        .isThrownBy(() -> writer.write(new int[2], 0))
        .withMessageContaining("closed");
  }
}
