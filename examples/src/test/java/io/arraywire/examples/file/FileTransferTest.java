package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArraySlice;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ProtocolException;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RemoteErrorException;
import io.arraywire.RemoteRejectedException;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.examples.NpyFiles;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.frame.FrameHeader;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.arraywire.source.ArraySink;
import io.arraywire.source.ArraySource;
import io.arraywire.source.ElementWriter;
import io.arraywire.spi.Codecs;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every technique, against each other and against the library. */
@Timeout(120)
class FileTransferTest {
  private static final SocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final long NO_LIMIT = Long.MAX_VALUE;
  private static final int CHUNK = 1 << 20;
  private static final TransportOptions SENDER =
      TransportOptions.builder().maxArrayBytes(1L << 40).build();

  @TempDir Path dir;

  private final BlockingQueue<IOException> strangers = new LinkedBlockingQueue<>();

  private static <T> FutureTask<T> start(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    new Thread(task, "far side").start();
    return task;
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    try {
      return task.get(60, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  private OneFile into(Path file, ReceiveTechnique technique) throws IOException {
    return into(ANY, file, technique);
  }

  private OneFile into(SocketAddress at, Path file, ReceiveTechnique technique) throws IOException {
    return new OneFile(at, file, technique, NO_LIMIT, strangers);
  }

  /** What went wrong with a peer, once something has. */
  private IOException nextStranger() throws InterruptedException {
    IOException failure = strangers.poll(60, TimeUnit.SECONDS);
    assertThat(failure).isNotNull();
    return failure;
  }

  /** Sends with what {@code arraywire send} has, in the byte order of the file. */
  static Receipt send(SocketAddress to, ArrayFile file, SendTechnique technique)
      throws IOException, InterruptedException {
    try (Transport transport = NioTransport.create(SENDER);
        Connection connection = transport.connect(to)) {
      return connection.send(technique.source(file), options(file));
    }
  }

  private static SendOptions options(ArrayFile file) {
    boolean big = file.order() == ByteOrder.BIG_ENDIAN;
    return new SendOptions(NpyAttributes.of(file.header()), Delivery.PROCESSED)
        .codec(big ? "direct-be" : "direct");
  }

  /** Sizes about the edges of chunks and buffers, both byte orders, nothing and almost nothing. */
  private List<ArrayFile> files() throws IOException {
    List<ArrayFile> files = new ArrayList<>();
    for (long elements :
        List.of(0, 1, CHUNK / 8 - 1, CHUNK / 8, CHUNK / 8 + 1, ArraySink.PIECE_BYTES / 8 + 1)) {
      for (String descr : List.of("<f8", ">i8")) {
        Path file = dir.resolve(files.size() + ".npy");
        files.add(ArrayFile.npy(NpyFiles.random(file, descr, elements)));
      }
    }
    files.add(ArrayFile.npy(NpyFiles.random(dir.resolve("bytes.npy"), "|u1", 3, CHUNK + 1)));
    Path raw = dir.resolve("raw.bin");
    byte[] bytes = new byte[2 * CHUNK + 6];
    new Random(1).nextBytes(bytes);
    Files.write(raw, bytes);
    files.add(ArrayFile.raw(raw, ElementType.SHORT, ByteOrder.LITTLE_ENDIAN));
    files.add(ArrayFile.raw(raw, ElementType.CHAR, ByteOrder.BIG_ENDIAN));
    return files;
  }

  static Stream<Arguments> pairs() {
    return Stream.of(SendTechnique.values())
        .flatMap(send ->
            Stream.of(ReceiveTechnique.values()).map(receive -> Arguments.of(send, receive)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyPairKeepsEveryBit(SendTechnique send, ReceiveTechnique receive) throws Exception {
    for (ArrayFile file : files()) {
      String name = file.path().getFileName().toString();
      Path got = dir.resolve("got-" + name);
      try (OneFile receiver = into(got, receive)) {
        send(receiver.address(), file, send);
        ReceivedFile stored = receiver.stored();
        assertThat(stored.header()).isEqualTo(file.header());
        assertThat(stored.bytes()).isEqualTo(file.bytes());
      }
      assertThat(Files.mismatch(file.path(), got)).as(name).isEqualTo(-1);
      Files.delete(got);
    }
    assertThat(strangers).isEmpty();
  }

  static Stream<Arguments> sendersAndChecksums() {
    return Stream.of(SendTechnique.values())
        .flatMap(each -> Stream.of(Checksums.values()).map(sums -> Arguments.of(each, sums)));
  }

  /** The library takes the files for arrays like all others, with checksums if it wants them. */
  @ParameterizedTest
  @MethodSource("sendersAndChecksums")
  void theLibraryReceives(SendTechnique technique, Checksums checksums) throws Exception {
    TransportOptions options = TransportOptions.builder().checksums(checksums).build();
    try (Transport transport = NioTransport.create(options);
        Listener listener = transport.listen(ANY)) {
      for (ArrayFile file : files()) {
        FutureTask<ReceivedArray> received =
            start(() -> {
              try (Connection connection = listener.accept()) {
                return connection.receive();
              }
            });
        send(listener.address(), file, technique);
        ReceivedArray array = get(received);
        assertThat(array.slice().array()).isEqualTo(file.read().array());
        assertThat(array.header().attributes()).isEqualTo(NpyAttributes.of(file.header()));
      }
    }
  }

  static Stream<Arguments> receiversAndChecksums() {
    return Stream.of(ReceiveTechnique.values())
        .flatMap(each -> Stream.of(Checksums.values()).map(sums -> Arguments.of(each, sums)));
  }

  @ParameterizedTest
  @MethodSource("receiversAndChecksums")
  void theLibrarySends(ReceiveTechnique technique, Checksums checksums) throws Exception {
    for (ArrayFile file : files()) {
      boolean big = file.header().dtype().order() == ByteOrder.BIG_ENDIAN;
      TransportOptions options =
          TransportOptions.builder()
              .checksums(checksums)
              .codecs(Codecs.named(big ? "direct-be" : "direct"))
              .build();
      Path got = dir.resolve("got-" + file.path().getFileName());
      try (Transport transport = NioTransport.create(options);
          OneFile receiver = into(got, technique)) {
        try (Connection connection = transport.connect(receiver.address())) {
          ArraySlice slice = file.read();
          connection.send(
              slice, new SendOptions(NpyAttributes.of(file.header()), Delivery.PROCESSED));
        }
        receiver.stored();
      }
      assertThat(Files.mismatch(file.path(), got)).as(file.toString()).isEqualTo(-1);
      Files.delete(got);
    }
  }

  /**
   * Once the far side has some of it, the file shrinks, by all but a little or by its last byte:
   * what is left of a page is zeros in a mapping, and must not pass for elements.
   */
  @ParameterizedTest
  @MethodSource("sendersAndChecksums")
  void aFileThatShrinksWhileItIsSent(SendTechnique technique, Checksums checksums)
      throws Exception {
    Path big = dir.resolve("big.npy");
    for (long left : new long[] {4096, 128 + 64L * CHUNK - 1}) {
      ArrayFile file = ArrayFile.npy(NpyFiles.random(big, "<f4", 16 * CHUNK));
      TransportOptions options = TransportOptions.builder().checksums(checksums).build();
      CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
      CompletableFuture<@Nullable Void> cut = new CompletableFuture<>();
      List<ReceivedArray> delivered = new CopyOnWriteArrayList<>();
      Handlers handlers =
          Handlers.ofArrays((connection, array) -> delivered.add(array))
              .withTargets((connection, header) -> {
                begun.complete(null);
                cut.join();
                return null;
              });
      try (Transport transport = NioTransport.create(options);
          Listener listener = transport.listen(ANY, handlers);
          Connection connection = transport.connect(listener.address())) {
        CompletableFuture<Receipt> sent =
            connection.sendAsync(technique.source(file), options(file)).toCompletableFuture();
        begun.get(60, TimeUnit.SECONDS);
        truncate(big, left);
        cut.complete(null);
        assertThatThrownBy(() -> sent.get(60, TimeUnit.SECONDS))
            .hasCauseInstanceOf(ArraywireException.class);
        assertThatThrownBy(file::check)
            .isInstanceOf(FileChangedException.class)
            .hasMessageContaining("file=" + big + ", expectedBytes=67108992, fileBytes=" + left);
      } catch (ArraywireException e) {
        // The connection may have broken with the file.
      }
      assertThat(delivered).isEmpty();
    }
  }

  /** More elements than a Java array can have, to a handler that puts them elsewhere. */
  @Test
  @Tag("slow")
  void moreElementsThanAnArrayHolds() throws Exception {
    long count = (1L << 31) + CHUNK + 1;
    Path sparse = Files.createFile(dir.resolve("sparse.bin"));
    truncate(sparse, count);
    ArrayFile file = ArrayFile.raw(sparse, ElementType.BYTE, ByteOrder.LITTLE_ENDIAN);
    AtomicLong counted = new AtomicLong();
    AtomicBoolean namesSink = new AtomicBoolean(true);
    BlockingQueue<ReceivedArray> handed = new LinkedBlockingQueue<>();
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> handed.add(array))
            .withTargets((connection, header) -> {
              assertThat(header.count()).isEqualTo(Integer.MAX_VALUE);
              return namesSink.get() ? new CountingSink(counted) : null;
            });
    try (Transport transport = NioTransport.create(SENDER);
        Listener listener = transport.listen(ANY, handlers);
        Listener receiving = transport.listen(ANY)) {
      for (SendTechnique technique :
          List.of(SendTechnique.DIRECT, SendTechnique.TRANSFER, SendTechnique.MAPPED)) {
        Receipt receipt = send(listener.address(), file, technique);
        assertThat(receipt.elements()).isEqualTo(count);
        assertThat(counted.getAndSet(0)).isEqualTo(count);
        assertThat(handed.remove().receipt().elements()).isEqualTo(count);
      }
      namesSink.set(false);
      assertThatThrownBy(() -> send(listener.address(), file, SendTechnique.TRANSFER))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("must name a sink for it (count=" + count + ", limit=2147483639)");
      assertThat(handed).isEmpty();
      // A receive call puts elements into arrays.
      assertThatThrownBy(() -> send(receiving.address(), file, SendTechnique.TRANSFER))
          .isInstanceOf(RemoteErrorException.class)
          .hasMessageContaining("more elements than a Java array can hold");
    }
  }

  /** Counts elements, each at its place. */
  private record CountingSink(AtomicLong counted) implements ArraySink {
    @Override
    public ElementType type() {
      return ElementType.BYTE;
    }

    @Override
    public ElementWriter open(long count, ByteOrder order) {
      return (index, some, source) -> {
        assertThat(counted.getAndAdd(some)).isEqualTo(index);
        source.position(source.limit());
      };
    }
  }

  /** Copies, beside those of the technique, and system calls. */
  @Test
  void receiptsTellWhatATechniqueCosts() throws Exception {
    ArrayFile file = ArrayFile.npy(NpyFiles.random(dir.resolve("big.npy"), "<f4", 4 * CHUNK));
    for (SendTechnique technique : SendTechnique.values()) {
      Path got = dir.resolve("got-" + technique);
      try (OneFile receiver = into(got, ReceiveTechnique.BUFFER)) {
        Receipt receipt = send(receiver.address(), file, technique);
        receiver.stored();
        boolean past = technique == SendTechnique.MAPPED || technique == SendTechnique.TRANSFER;
        assertThat(receipt.copiedBytes()).as("%s", technique).isEqualTo(past ? 0 : file.bytes());
        assertThat(receipt.elements()).isEqualTo(4 * CHUNK);
      }
    }
  }

  /**
   * The channel reads into the memory that is written to the file. Only the bytes that come before
   * the handler names the file are copied.
   */
  @Test
  void whatArrivesIsNotCopied() throws Exception {
    ArrayFile file = ArrayFile.npy(NpyFiles.random(dir.resolve("big.npy"), "<f4", 8 * CHUNK));
    BlockingQueue<ReceivedArray> handed = new LinkedBlockingQueue<>();
    Path got = dir.resolve("got.bin");
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> handed.add(array))
            .withTargets((connection, header) -> ArraySink.file(got, header.type(), file.order()));
    try (Transport transport = NioTransport.create(SENDER);
        Listener listener = transport.listen(ANY, handlers)) {
      send(listener.address(), file, SendTechnique.TRANSFER);
      assertThat(handed.remove().receipt().copiedBytes()).isBetween(0L, file.bytes() / 4);
      assertThat(Files.size(got)).isEqualTo(file.bytes());
    }
  }

  private static void truncate(Path file, long bytes) {
    try (RandomAccessFile open = new RandomAccessFile(file.toFile(), "rw")) {
      open.setLength(bytes);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @EnumSource(ReceiveTechnique.class)
  void aSenderThatBreaksOff(ReceiveTechnique technique) throws Exception {
    Path got = dir.resolve("got.npy");
    try (OneFile receiver = into(got, technique)) {
      try (Socket sender = new Socket()) {
        sender.connect(receiver.address());
        HostileSenderTest.greet(sender);
        FrameHeader header = HostileSenderTest.header(0);
        header.count = 2 * CHUNK;
        header.arrayBytes = 8L * CHUNK;
        HostileSenderTest.write(sender, header);
      }
      assertThat(nextStranger())
          .isInstanceOf(ProtocolException.class)
          .matches(ErrorCode.TRUNCATED::isOf)
          .hasMessageContaining("expected=8388608");
      // The next one is served all the same.
      ArrayFile digits = ArrayFile.npy(NpyFiles.digits(dir.resolve("digits.npy")));
      assertThat(got).doesNotExist();
      send(receiver.address(), digits, SendTechnique.DIRECT);
      receiver.stored();
      assertThat(got).hasSameBinaryContentAs(digits.path());
      Files.delete(got);
    }
    assertThat(got).doesNotExist();
  }

  /** A sparse file is larger than the disk on which there is not room for it. */
  @ParameterizedTest
  @EnumSource(ReceiveTechnique.class)
  void noRoomOnTheDisk(ReceiveTechnique technique) throws Exception {
    Path got = dir.resolve("got.bin");
    Path sparse = Files.createFile(dir.resolve("sparse.bin"));
    // By more than others give back meanwhile.
    truncate(sparse, Files.getFileStore(dir).getUsableSpace() + (64L << 30));
    try (OneFile receiver = into(got, technique)) {
      ArrayFile file = ArrayFile.raw(sparse, ElementType.BYTE, ByteOrder.LITTLE_ENDIAN);
      assertThatThrownBy(() -> send(receiver.address(), file, SendTechnique.TRANSFER))
          .isInstanceOf(RemoteErrorException.class)
          .hasMessageContaining(
              "the receiver's disk is full; nothing of the array was kept (bytes=")
          .extracting("code")
          .isEqualTo(ErrorCode.REJECTED);
      assertThat(nextStranger())
          .isInstanceOf(FullDiskException.class)
          .hasMessageContaining("(file=" + got + ", disk=")
          .hasMessageContaining(", bytes=" + file.bytes() + ", usableBytes=");
      assertThat(receiver.isDone()).isFalse();
    }
    assertThat(got).doesNotExist();
  }

  @Test
  void aTargetThatExistsIsKept() throws Exception {
    Path got = Files.writeString(dir.resolve("got.npy"), "kept");
    assertThatThrownBy(() -> TargetFile.of(got))
        .isInstanceOf(IOException.class)
        .hasMessage("the file exists already; remove it, or give another name (file=" + got + ")");

    Path later = dir.resolve("later.npy");
    Path digits = NpyFiles.digits(dir.resolve("digits.npy"));
    try (OneFile receiver = into(later, ReceiveTechnique.BUFFER)) {
      Files.writeString(later, "kept");
      assertThatThrownBy(
              () -> send(receiver.address(), ArrayFile.npy(digits), SendTechnique.TRANSFER))
          .isInstanceOf(ArraywireException.class)
          .hasMessageContaining("the receiver cannot write its file")
          .hasMessageNotContaining(later.toString());
      assertThatThrownBy(receiver::stored).hasMessageContaining("the file exists already");
    }
    assertThat(got).hasContent("kept");
    assertThat(later).hasContent("kept");
  }

  @Test
  void oneArrayOnlyAndTheNextIsRefused() throws Exception {
    ArrayFile digits = ArrayFile.npy(NpyFiles.digits(dir.resolve("digits.npy")));
    try (OneFile receiver = into(dir.resolve("got.npy"), ReceiveTechnique.BUFFER)) {
      try (Transport transport = NioTransport.create(SENDER);
          Connection connection = transport.connect(receiver.address())) {
        ArraySource source = SendTechnique.DIRECT.source(digits);
        CompletionStage<Receipt> first = connection.sendAsync(source, options(digits));
        CompletionStage<Receipt> second = connection.sendAsync(source, options(digits));
        first.toCompletableFuture().get(60, TimeUnit.SECONDS);
        assertThatThrownBy(() -> second.toCompletableFuture().get(60, TimeUnit.SECONDS))
            .hasMessageContaining("the receiver has the one array that it was asked for");
      }
      receiver.stored();
    }
    assertThat(dir.resolve("got.npy")).hasSameBinaryContentAs(digits.path());
  }

  /** Its payload has elements of several types, and zeros between them. */
  @Test
  void aMessageOfPartsIsNoFile() throws Exception {
    ArrayFile digits = ArrayFile.npy(NpyFiles.digits(dir.resolve("digits.npy")));
    Path got = dir.resolve("got.npy");
    try (OneFile receiver = into(got, ReceiveTechnique.BUFFER);
        Transport transport = NioTransport.create(SENDER);
        Connection connection = transport.connect(receiver.address())) {
      Message message = Message.of("ids", new int[] {1, 2, 3}).with("scores", new double[] {4, 5});
      assertThatThrownBy(() -> connection.send(message, SendOptions.processed()))
          .isInstanceOf(RemoteRejectedException.class)
          .hasMessageContaining("a file holds one array, and this is a message of parts");
      assertThat(got).doesNotExist();
      // Its sender may send an array all the same.
      connection.send(SendTechnique.DIRECT.source(digits), options(digits));
      receiver.stored();
    }
    assertThat(got).hasSameBinaryContentAs(digits.path());
  }

  @Test
  void limitsOfEitherSide() throws Exception {
    ArrayFile digits = ArrayFile.npy(NpyFiles.digits(dir.resolve("digits.npy")));
    TransportOptions options = TransportOptions.builder().maxArrayBytes(1000).build();
    try (Transport transport = NioTransport.create(options);
        Listener listener = transport.listen(ANY)) {
      assertThatThrownBy(() -> send(listener.address(), digits, SendTechnique.HEAP))
          .isInstanceOf(ArrayTooLargeException.class)
          .hasMessageContaining("bytes=460032, here=1099511627776, peer=1000");
    }
  }

  /** A stranger is reported, and the next one is served. */
  @Test
  void strangersAreReported() throws Exception {
    ArrayFile digits = ArrayFile.npy(NpyFiles.digits(dir.resolve("digits.npy")));
    Path socket = dir.resolve("s");
    try (OneFile receiver = into(dir.resolve("got.npy"), ReceiveTechnique.TRANSFER)) {
      try (Socket stranger =
          new Socket(
              InetAddress.getLoopbackAddress(),
              ((InetSocketAddress) receiver.address()).getPort())) {
        stranger.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes("US-ASCII"));
        stranger.getOutputStream().flush();
        stranger.shutdownOutput();
        assertThat(stranger.getInputStream().read()).isLessThan(0);
      } catch (java.net.SocketException e) {
        assertThat(e).hasMessageContaining("reset");
      }
      assertThat(nextStranger()).matches(ErrorCode.BAD_MAGIC::isOf);
      send(receiver.address(), digits, SendTechnique.MAPPED);
      receiver.stored();
      assertThat(strangers).isEmpty();
    }
    try (OneFile receiver =
        into(
            UnixDomainSocketAddress.of(socket),
            dir.resolve("unix.npy"),
            ReceiveTechnique.TRANSFER)) {
      send(receiver.address(), digits, SendTechnique.STREAM);
      receiver.stored();
    }
    assertThat(socket).doesNotExist();
  }

  @Test
  void rawFilesThatAreNone() throws Exception {
    Path odd = Files.write(dir.resolve("odd.bin"), new byte[7]);
    assertThatThrownBy(() -> ArrayFile.raw(odd, ElementType.FLOAT, ByteOrder.LITTLE_ENDIAN))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not a whole number of elements")
        .hasMessageContaining("fileBytes=7, type=float, elementBytes=4");
    assertThatThrownBy(() -> ArrayFile.raw(dir, ElementType.FLOAT, ByteOrder.LITTLE_ENDIAN))
        .hasMessageContaining("not a regular file");
  }

  /** Whatever happened. */
  @AfterEach
  void nothingHalfWritten() throws IOException {
    try (Stream<Path> files = Files.list(dir)) {
      assertThat(files.filter(file -> file.toString().endsWith(".part"))).isEmpty();
    }
  }
}
