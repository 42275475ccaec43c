package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@link FileReceiver} says to a sender that breaks the protocol; nothing is left of its file.
 */
@Timeout(60)
class HostileSenderTest {
  /** Bytes of elements in each of the two frames. */
  static final int PAYLOAD = 64;

  private static final long LIMIT = 1 << 20;

  @TempDir Path dir;

  /** A frame that is right but for one change, as the first or the second of an array. */
  private static Arguments wrong(
      String what, boolean first, ErrorCode code, Consumer<FrameHeader> change) {
    return Arguments.of(what, first, code, change);
  }

  static Stream<Arguments> wrongFrames() {
    return Stream.of(
        wrong("checksum", true, ErrorCode.PAYLOAD_CHECKSUM, h -> h.payloadChecksum++),
        wrong("checksum", false, ErrorCode.PAYLOAD_CHECKSUM, h -> h.payloadChecksum++),
        wrong("no checksum", true, ErrorCode.PROTOCOL_VIOLATION, h -> h.flags = 0),
        wrong("encoding", true, ErrorCode.UNKNOWN_CODE, h -> h.encoding = 4),
        wrong("element type", true, ErrorCode.UNKNOWN_CODE, h -> h.elementType = 77),
        wrong("channel", true, ErrorCode.UNKNOWN_CODE, h -> h.channel = 1),
        wrong("attributes", true, ErrorCode.FRAME_TOO_LARGE, h -> h.attributeBytes = 65_529),
        wrong("array", true, ErrorCode.FRAME_TOO_LARGE, h -> h.arrayBytes = LIMIT + 4),
        wrong("negative array", true, ErrorCode.FRAME_TOO_LARGE, h -> h.arrayBytes = -4),
        wrong("payload", true, ErrorCode.FRAME_TOO_LARGE, h -> h.payloadBytes = (1 << 20) + 4),
        wrong("count", true, ErrorCode.BAD_LENGTH, h -> h.count = -1),
        wrong("overflow", true, ErrorCode.COUNT_MISMATCH, h -> h.count += 1L << 62),
        wrong("too few", true, ErrorCode.COUNT_MISMATCH, h -> h.count--),
        wrong("nothing", true, ErrorCode.BAD_LENGTH, h -> h.payloadBytes = 0),
        wrong("more than all", true, ErrorCode.BAD_LENGTH, h -> h.payloadBytes = 4 * PAYLOAD),
        wrong("half an element", true, ErrorCode.COUNT_MISMATCH, h -> h.payloadBytes--),
        wrong("sequence", true, ErrorCode.SEQUENCE_GAP, h -> h.sequence++),
        wrong("loose chunk", true, ErrorCode.PROTOCOL_VIOLATION, h -> h.type = FrameType.CHUNK),
        wrong("second array", false, ErrorCode.PROTOCOL_VIOLATION, h -> h.type = FrameType.ARRAY),
        wrong("goodbye", false, ErrorCode.PROTOCOL_VIOLATION, h -> h.type = FrameType.GOODBYE),
        wrong("offset", false, ErrorCode.SEQUENCE_GAP, h -> h.arrayBytes--),
        wrong("other count", false, ErrorCode.PROTOCOL_VIOLATION, h -> h.count++),
        wrong("beyond the end", false, ErrorCode.BAD_LENGTH, h -> h.payloadBytes = 2 * PAYLOAD));
  }

  @ParameterizedTest(name = "{0}, first: {1}")
  @MethodSource("wrongFrames")
  void isToldWhatItDidWrong(
      String what, boolean first, ErrorCode code, Consumer<FrameHeader> change) throws Exception {
    for (ReceiveTechnique technique : ReceiveTechnique.values()) {
      Path got = dir.resolve("got.npy");
      BlockingQueue<IOException> failures = new LinkedBlockingQueue<>();
      try (OneFile receiver =
              new OneFile(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                  got,
                  technique,
                  LIMIT,
                  failures);
          Socket socket = new Socket()) {
        socket.connect(receiver.address());
        DataInputStream in = greet(socket);
        FrameHeader header = header(0);
        if (first) {
          change.accept(header);
          write(socket, header);
        } else {
          write(socket, header);
          FrameHeader next = header(PAYLOAD);
          change.accept(next);
          write(socket, next);
        }

        assertThat(readError(in)).isEqualTo(code);
        socket.shutdownOutput();
        assertThat(failures.poll(30, TimeUnit.SECONDS))
            .isInstanceOfSatisfying(
                ArraywireException.class, e -> assertThat(e.code()).isEqualTo(code));
        assertThat(receiver.isDone()).isFalse();
      }
      assertThat(got).doesNotExist();
      try (Stream<Path> files = Files.list(dir)) {
        assertThat(files).isEmpty();
      }
    }
  }

  /** Says hello, wants checksums, and reads the welcome. */
  static DataInputStream greet(Socket socket) throws IOException {
    Offer offer =
        new Offer(
            Map.of(1, Encoding.RAW_LITTLE_ENDIAN.name()),
            Set.of(ElementType.FLOAT.code()),
            ByteOrder.LITTLE_ENDIAN,
            LIMIT,
            LIMIT,
            true,
            new byte[0],
            "test",
            new FlowOffer(1, LIMIT, LIMIT, 0, 0));
    socket.getOutputStream().write(Preamble.write(2, 2, HandshakeMessage.hello(offer)));
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] preamble = new byte[Preamble.BYTES];
    in.readFully(preamble);
    in.readFully(new byte[Preamble.read(preamble).messageBytes()]);
    return in;
  }

  /** Of an array of 32 floats in two frames. */
  static FrameHeader header(int offset) {
    FrameHeader header = new FrameHeader().clear(offset == 0 ? FrameType.ARRAY : FrameType.CHUNK);
    header.encoding = Encoding.RAW_LITTLE_ENDIAN.code();
    header.elementType = ElementType.FLOAT.code();
    header.sequence = 1;
    header.count = 2 * PAYLOAD / 4;
    header.arrayBytes = offset == 0 ? 2 * PAYLOAD : offset / Float.BYTES;
    header.payloadBytes = PAYLOAD;
    header.flags = FrameLayout.FLAG_PAYLOAD_CHECKSUM;
    CRC32C checksum = new CRC32C();
    checksum.update(new byte[PAYLOAD], 0, PAYLOAD);
    header.payloadChecksum = (int) checksum.getValue();
    return header;
  }

  static void write(Socket socket, FrameHeader header) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(FrameLayout.HEADER_BYTES + PAYLOAD);
    header.write(frame);
    socket.getOutputStream().write(frame.array());
  }

  /** The code with which the receiver ends the connection. */
  static ErrorCode readError(DataInputStream in) throws IOException {
    byte[] bytes = new byte[FrameLayout.HEADER_BYTES];
    FrameHeader header = new FrameHeader();
    do {
      // What it may send, and what it has acknowledged, may come before.
      in.readFully(bytes);
      header.read(ByteBuffer.wrap(bytes));
    } while (header.type != FrameType.ERROR);
    byte[] body = new byte[(int) header.payloadBytes];
    in.readFully(body);
    return FaultBody.read(body).code();
  }
}
