package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.ArrayHandler;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.Connection;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.Listener;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.SendOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.compression.Compression;
import io.arraywire.spi.Codecs;
import io.arraywire.spi.Transports;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A person with docs/protocol.md and no Java can write a peer: {@code framed_peer.py} is one, in
 * Python, against a listener of each transport.
 */
@Tag("newest")
class FramedPeerIT {
  private static final long REFUSED_TAG = 666;

  @TempDir Path dir;

  @BeforeAll
  static void requirePython() throws InterruptedException {
    Python.require();
  }

  /**
   * Arrays of each type and of several chunks, both ways, with pings and withdrawn arrays between.
   */
  @ParameterizedTest
  @CsvSource({
    "nio, direct, raw-le, 14", "nio, direct-be, raw-be, 14",
    "nio, object-stream, java-object, 8", "nio, protobuf, protobuf, 4",
    "stream, buffer-view-le, raw-le, 14", "stream, buffer-view, raw-be, 14",
    "stream, object-stream, java-object, 8", "stream, protobuf, protobuf, 4"
  })
  void pythonSendsAndReceives(String transport, String codec, String encoding, int types)
      throws Exception {
    TransportOptions options =
        TransportOptions.builder().codecs(Codecs.named(codec)).chunkBytes(7_000).build();
    // In the raw encodings there is a message of parts, too.
    int arrays = 3 * types + (encoding.startsWith("raw") ? 1 : 0);
    try (Echo echo = new Echo(transport, options)) {
      echo.talksTo(encoding, "echo", "", "echoed " + arrays + " arrays of " + types + " types");
      assertThat(echo.nextEnd()).isNull();
      assertThat(echo.sends).hasSize(arrays);
      for (CompletableFuture<Receipt> send : echo.sends) {
        assertThat(send).succeedsWithin(Duration.ofSeconds(60));
      }
    }
  }

  /** Floats of 16 bits in blocks, of arrays both ways, and of a message. */
  @ParameterizedTest
  @CsvSource({"nio, direct", "stream, buffer-view-le"})
  void elementsInBlocks(String transport, String codec) throws Exception {
    TransportOptions options =
        TransportOptions.builder()
            .codecs(Compression.fp16(), Compression.bf16(), Codecs.named(codec))
            .build();
    try (Echo echo = new Echo(transport, options)) {
      echo.talksTo("raw-le", "blocks", "", "echoed 3 in blocks");
      assertThat(echo.nextEnd()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void withoutChecksumsIfNobodyWantsThem(String transport) throws Exception {
    TransportOptions options = TransportOptions.builder().checksums(Checksums.UNWANTED).build();
    try (Echo echo = new Echo(transport, options)) {
      echo.talksTo("raw-le", "unchecked-echo", "", "echoed 43 arrays of 14 types");
      assertThat(echo.nextEnd()).isNull();
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void withTheTokenAndNotWithoutIt(String transport) throws Exception {
    TransportOptions options =
        TransportOptions.builder().authToken("sesame".getBytes(StandardCharsets.UTF_8)).build();
    try (Echo echo = new Echo(transport, options)) {
      echo.talksTo("raw-le", "echo", "", "refused: reject 21");
      echo.talksTo("raw-le", "echo", "sesam", "refused: reject 21");
      echo.talksTo("raw-le", "echo", "sesame", "echoed 43 arrays of 14 types");
    }
  }

  /** What the page says of the unexpected, as the peer sees it, and what this side says of it. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void thePeerIsToldWhatItDidWrong(String transport) throws Exception {
    try (Echo echo = new Echo(transport, TransportOptions.defaults())) {
      echo.talksTo(
          "raw-le",
          "wrong",
          "",
          "stranger: error 1",
          "damaged: error 4",
          "credit: error 12",
          "channel: error 5",
          "subscription: error 5",
          "subscribe: error 12",
          "cancel: error 12",
          "session: error 12",
          "published: error 12",
          "huge: error 6",
          "negative: error 7",
          "uneven: error 8",
          "table: error 8",
          "shape: error 8",
          "gap: error 9",
          "loose: error 12",
          "future: error 12",
          "unwanted: rejected 42");
      List<@Nullable ErrorCode> ends = new ArrayList<>();
      for (int i = 0; i < 17; i++) {
        ends.add(echo.nextEnd());
      }
      // Of different connections, which nobody puts in order.
      assertThat(ends)
          .containsExactlyInAnyOrder(
              ErrorCode.BAD_MAGIC,
              ErrorCode.PAYLOAD_CHECKSUM,
              ErrorCode.UNKNOWN_CODE,
              ErrorCode.UNKNOWN_CODE,
              ErrorCode.FRAME_TOO_LARGE,
              ErrorCode.BAD_LENGTH,
              ErrorCode.COUNT_MISMATCH,
              ErrorCode.COUNT_MISMATCH,
              ErrorCode.COUNT_MISMATCH,
              ErrorCode.SEQUENCE_GAP,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION,
              ErrorCode.PROTOCOL_VIOLATION);
    }
  }

  /** A peer that does not speak the protocol is told nothing: its connection is reset. */
  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#stream")
  void aStrangerIsToldNothing(String transport) throws Exception {
    try (Echo echo = new Echo(transport, TransportOptions.defaults());
        Socket stranger = new Socket(InetAddress.getLoopbackAddress(), echo.port)) {
      stranger.getOutputStream().write("GET ".getBytes(StandardCharsets.US_ASCII));
      assertThatThrownBy(() -> stranger.getInputStream().read())
          .isInstanceOf(SocketException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("io.arraywire.examples.EitherTransport#nio")
  void thePeerIsToldThatNothingIsInCommon(String transport) throws Exception {
    try (Echo echo = new Echo(transport, TransportOptions.defaults())) {
      echo.talksTo("no-such", "echo", "", "refused: reject 20");
    }
  }

  /** Sends every array back. */
  private final class Echo implements ArrayHandler, AutoCloseable {
    private final Queue<CompletableFuture<Receipt>> sends = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<Optional<ErrorCode>> ends = new LinkedBlockingQueue<>();
    private final Transport transport;
    private final int port;

    Echo(String name, TransportOptions options) throws ArraywireException {
      transport = Transports.create(name, options);
      Listener listener =
          transport.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), this);
      port = ((InetSocketAddress) listener.address()).getPort();
    }

    @Override
    public void onArray(Connection connection, ReceivedArray array) {
      if (array.tag() == REFUSED_TAG) {
        throw new IllegalArgumentException("this test does not like it");
      }
      SendOptions options = new SendOptions(array.header().attributes(), Delivery.PROCESSED);
      sends.add(connection.sendAsync(array.slice(), options).toCompletableFuture());
    }

    @Override
    public void onClosed(Connection connection, @Nullable ArraywireException cause) {
      ends.add(Optional.ofNullable(cause).map(ArraywireException::code));
    }

    /** How the next connection ended; null for in good order. */
    @Nullable ErrorCode nextEnd() throws InterruptedException {
      Optional<ErrorCode> end = ends.poll(60, TimeUnit.SECONDS);
      assertThat(end).as("the end of a connection").isNotNull();
      return end.orElse(null);
    }

    void talksTo(String encoding, String what, String token, String... says) throws Exception {
      try (CliProcess python = Python.start(dir, "framed_peer.py", port, encoding, what, token)) {
        assertThat(python.awaitExit()).as(python.toString()).isZero();
        assertThat(python.out()).as(python.toString()).containsExactly(says);
      }
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}
