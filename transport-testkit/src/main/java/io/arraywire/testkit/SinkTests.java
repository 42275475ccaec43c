package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.Handlers;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.TargetMismatchException;
import io.arraywire.TransportOptions;
import io.arraywire.codec.StandardCodecs;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ElementWriter;
import io.arraywire.spi.BulkElements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Elements that go to files, and to what a program writes itself. */
interface SinkTests {
  TransportStage stage();

  /** Nothing, less than an inbox, more than a piece, and more than a frame. */
  List<Integer> SINK_COUNTS = List.of(0, 1, 1_000, 70_001, 600_000);

  /** Notes what it is told. */
  final class NotedSink implements ArraySink {
    final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private final ElementType type;
    private final String failing;

    NotedSink(ElementType type, String failing) {
      this.type = type;
      this.failing = failing;
    }

    private void note(String what) throws IOException {
      notes.add(what);
      if (what.equals(failing)) {
        throw new IOException(what + " did not work");
      }
    }

    @Override
    public ElementType type() {
      return type;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) throws IOException {
      note("open");
      return new ElementWriter() {
        private long next;

        @Override
        public void write(long index, int some, ByteBuffer source) throws IOException {
          assertThat(index).isEqualTo(next);
          assertThat(source.order()).isEqualTo(order);
          assertThat(source.remaining())
              .isEqualTo(some * type.bytes())
              .isLessThanOrEqualTo(PIECE_BYTES);
          if (index == 0) {
            note("write");
          }
          next += some;
          source.position(source.limit());
        }

        @Override
        public void finish() throws IOException {
          assertThat(next).isEqualTo(count);
          note("finish");
        }

        @Override
        public void close() throws IOException {
          note("close");
        }
      };
    }
  }

  private static Path directory() throws IOException {
    Path directory = Files.createTempDirectory("arraywire-sink");
    directory.toFile().deleteOnExit();
    return directory;
  }

  private static byte[] bytes(ElementType type, Object array, int count, ByteOrder order) {
    ByteBuffer bytes = ByteBuffer.allocate(count * type.bytes());
    if (count > 0) {
      BulkElements.put(type, array, 0, count, bytes, order);
    }
    return bytes.array();
  }

  /** Every type and size, in either byte order; each is whole before it is handed out. */
  @Test
  default void arraysArriveInFiles() throws Exception {
    Path directory = directory();
    SeededArrays.check(
        1,
        arrays -> {
          for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
            BlockingQueue<ReceivedArray> handed = new LinkedBlockingQueue<>();
            BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
            Path file = directory.resolve("array.bin");
            Connection connection =
                stage()
                    .connectionTo(
                        Handlers.ofArrays(
                                (from, array) -> {
                                  written.add(Files.readAllBytes(file));
                                  Files.delete(file);
                                  handed.add(array);
                                })
                            .withTargets(
                                (from, header) -> ArraySink.file(file, header.type(), order)));
            for (ElementType type : ElementType.values()) {
              if (!type.isPrimitive()) {
                continue;
              }
              for (int count : SINK_COUNTS) {
                Object array = arrays.array(type, count);
                connection.send(ArraySlice.ofArray(array), SendOptions.processed().tag(count));
                ReceivedArray received = Eventually.next("it was handed out", handed);
                assertThat(received.count()).isEqualTo(count);
                assertThat(received.tag()).isEqualTo(count);
                assertThat(received.slice().length()).isZero();
                assertThat(received.receipt().elements()).isEqualTo(count);
                assertThat(written.remove())
                    .as("%s %s %s", type, count, order)
                    .isEqualTo(bytes(type, array, count, order));
              }
            }
            connection.close();
          }
        });
    Files.delete(directory);
  }

  /** As elements lie in memory or not, and without frames. */
  @Test
  default void everyEncodingFillsThem() throws Exception {
    Path directory = directory();
    CustomCodec own =
        new CustomCodec(Encoding.custom(201, "own-be", ByteOrder.BIG_ENDIAN, ElementType::bytes));
    int[] ints = new int[100_003];
    for (int i = 0; i < ints.length; i++) {
      ints[i] = 31 * i;
    }
    byte[] expected = bytes(ElementType.INT, ints, ints.length, ByteOrder.LITTLE_ENDIAN);
    List<UnaryOperator<TransportOptions.Builder>> encodings =
        List.of(
            options -> options.codecs(own),
            options -> options.codecs(StandardCodecs.protobuf()),
            options -> options.plain(ElementType.INT));
    for (UnaryOperator<TransportOptions.Builder> change : encodings) {
      BlockingQueue<byte[]> written = new LinkedBlockingQueue<>();
      Path file = directory.resolve("array.bin");
      Connection connection =
          stage()
              .connectionTo(
                  change,
                  Handlers.ofArrays(
                          (from, received) -> {
                            byte[] bytes = Files.readAllBytes(file);
                            // First: the next array opens it anew as soon as this one is known.
                            Files.delete(file);
                            written.add(bytes);
                          })
                      .withTargets((from, header) ->
                          ArraySink.file(file, header.type(), ByteOrder.LITTLE_ENDIAN)));
      for (int round = 0; round < 2; round++) {
        connection.send(ArraySlice.of(ints), SendOptions.handedOff());
        assertThat(Eventually.next("it is written", written)).isEqualTo(expected);
      }
      connection.close();
    }
    Files.delete(directory);
  }

  @Test
  default void aRegionOfAFileTakesWhatItHasRoomFor() throws Exception {
    Path directory = directory();
    Path file = directory.resolve("region.bin");
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {7, 7, 7, 7}));
      Connection connection =
          stage()
              .connectionTo(
                  Handlers.ofArrays((from, array) -> {})
                      .withTargets((from, header) ->
                          ArraySink.file(channel, 4, ElementType.INT, ByteOrder.BIG_ENDIAN, 2)));
      connection.send(new int[] {1, 2}, SendOptions.processed());
      assertThat(Files.readAllBytes(file)).containsExactly(7, 7, 7, 7, 0, 0, 0, 1, 0, 0, 0, 2);
      assertThatThrownBy(() -> connection.send(new int[3], SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContainingAll("more elements than the receiver's file", "count=3, room=2");
      assertThatThrownBy(() -> connection.send(new float[2], SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContainingAll("arrayType=float", "targetType=int");
      connection.send(new int[] {3}, SendOptions.processed());
      assertThat(channel.isOpen()).isTrue();
      assertThat(channel.position()).isEqualTo(4);
      connection.close();
    }
    assertThat(Files.readAllBytes(file)).containsExactly(7, 7, 7, 7, 0, 0, 0, 3, 0, 0, 0, 2);
    Files.delete(file);
    Files.delete(directory);
  }

  /** Whichever step fails: its own array, and no other. */
  @Test
  default void aSinkThatFailsRefusesItsOwnArrayOnly() throws Exception {
    for (String failing : List.of("open", "write", "finish", "close", "nothing")) {
      for (int count : List.of(10, 600_000)) {
        NotedSink sink = new NotedSink(ElementType.FLOAT, failing);
        float[] fresh = {1, 2};
        Connection connection =
            stage()
                .connectionTo(
                    Handlers.ofArrays((from, array) -> sink.notes.add("handed " + array.count()))
                        .withTargets((from, header) ->
                            header.attributes().tag() == 1 ? sink : ArraySlice.of(fresh)));
        if (failing.equals("nothing")) {
          connection.send(new float[count], SendOptions.processed().tag(1));
        } else {
          assertThatThrownBy(
                  () -> connection.send(new float[count], SendOptions.processed().tag(1)))
              .as(failing)
              .isInstanceOf(RemoteRejectedException.class)
              .hasMessageContainingAll(
                  "could not put the elements into its sink", failing + " did not work");
        }
        connection.send(new float[] {4, 5}, SendOptions.processed());
        assertThat(fresh).containsExactly(4, 5);
        connection.close();
        assertThat(sink.notes)
            .as(failing)
            .containsExactlyElementsOf(
                switch (failing) {
                  case "open" -> List.of("open", "handed 2");
                  case "write" -> List.of("open", "write", "close", "handed 2");
                  case "nothing" ->
                      List.of("open", "write", "finish", "close", "handed " + count, "handed 2");
                  default -> List.of("open", "write", "finish", "close", "handed 2");
                });
      }
    }
  }

  /** Its sender takes it back: nothing is handed out, and nothing is left. */
  @Test
  default void anArrayThatDoesNotComeWholeLeavesNothing() throws Exception {
    Path directory = directory();
    Path file = directory.resolve("array.bin");
    NotedSink noted = new NotedSink(ElementType.INT, "nothing");
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> noted.notes.add("handed " + array.count()))
                    .withTargets((from, header) ->
                        header.attributes().tag() == 1
                            ? noted
                            : header.attributes().tag() == 2
                                ? ArraySink.file(file, header.type(), ByteOrder.BIG_ENDIAN)
                                : null));
    for (int tag : new int[] {1, 2}) {
      assertThatThrownBy(() ->
              connection.send(
                  new SourceTests.Failing(900_000, 899_999, new AtomicInteger()),
                  SendOptions.processed().tag(tag)))
          .isInstanceOf(ArraywireException.class)
          .hasMessageContaining("could not be read from their source");
    }
    connection.send(new int[] {1}, SendOptions.processed());
    // It may be taken back before the handler was asked where it goes.
    assertThat(noted.notes).contains("handed 1").doesNotContain("finish", "handed 900000");
    Eventually.until(
        "the sink is closed", () -> noted.notes.contains("close") == noted.notes.contains("open"));
    Eventually.until("the directory is empty", () -> isEmpty(directory));
    connection.close();
    Files.delete(directory);
  }

  private static boolean isEmpty(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sink may wait for a disk, or for a thread that ends the connection. */
  @Test
  default void aSinkThatWaitsHoldsUpNobodyWhoEndsTheConnection() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    BlockingQueue<Connection> writing = new LinkedBlockingQueue<>();
    CountDownLatch closed = new CountDownLatch(1);
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> {})
                    .withTargets((from, header) ->
                        new ArraySink() {
                          @Override
                          public ElementType type() {
                            return header.type();
                          }

                          @Override
                          public ElementWriter open(long count, ByteOrder order) {
                            return new ElementWriter() {
                              @Override
                              public void write(long index, int some, ByteBuffer source)
                                  throws IOException {
                                writing.add(from);
                                try {
                                  goOn.await();
                                } catch (InterruptedException e) {
                                  throw new IOException(e);
                                }
                                source.position(source.limit());
                              }

                              @Override
                              public void finish() {}

                              @Override
                              public void close() {
                                closed.countDown();
                              }
                            };
                          }
                        }));
    CompletableFuture<Receipt> sent =
        connection
            .sendAsync(ArraySlice.of(new int[900_000]), SendOptions.processed())
            .toCompletableFuture();
    try {
      Connection receiving = writing.poll(60, TimeUnit.SECONDS);
      assertThat(receiving).isNotNull();
      CompletableFuture<Void> ended = CompletableFuture.runAsync(receiving::closeNow);
      assertThat(ended).succeedsWithin(30, TimeUnit.SECONDS);
    } finally {
      goOn.countDown();
    }
    assertThat(closed.await(60, TimeUnit.SECONDS)).isTrue();
    assertThat(sent).failsWithin(60, TimeUnit.SECONDS);
  }

  /** A file that is there is kept, and the sender hears no path. */
  @Test
  default void aFileIsNeverOverwritten() throws Exception {
    Path directory = directory();
    Path file = Files.writeString(directory.resolve("kept.bin"), "kept");
    Connection connection =
        stage()
            .connectionTo(
                Handlers.ofArrays((from, array) -> {})
                    .withTargets((from, header) ->
                        ArraySink.file(file, header.type(), ByteOrder.BIG_ENDIAN)));
    assertThatThrownBy(() -> connection.send(new int[3], SendOptions.processed()))
        .isInstanceOf(RemoteRejectedException.class)
        .hasMessageContaining("file already exists")
        .hasMessageNotContaining("kept.bin");
    assertThat(file).hasContent("kept");
    connection.close();
    Files.delete(file);
    Files.delete(directory);
  }

  /** A slice is a sink, too, for those that call it themselves. */
  @Test
  default void aSliceIsASink() throws Exception {
    int[] array = new int[4];
    ArraySink slice = ArraySlice.of(array, 1, 2);
    assertThatThrownBy(() -> slice.open(3, ByteOrder.BIG_ENDIAN))
        .isInstanceOf(TargetMismatchException.class)
        .isInstanceOf(ArraywireException.class)
        .hasMessageContainingAll("count=3", "room=2");
    try (ElementWriter writer = slice.open(2, ByteOrder.BIG_ENDIAN)) {
      writer.write(0, 1, ByteBuffer.wrap(new byte[] {0, 0, 0, 5}));
      writer.write(1, 1, ByteBuffer.wrap(new byte[] {0, 0, 0, 6}));
      writer.finish();
    }
    assertThat(array).containsExactly(0, 5, 6, 0);
  }
}
