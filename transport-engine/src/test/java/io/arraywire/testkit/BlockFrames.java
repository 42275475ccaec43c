package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameType;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Ends and frames for tests of arrays that travel in blocks. */
final class BlockFrames {
  private BlockFrames() {}

  static final int HEAD = 8;
  static final byte[] GOODBYE = RawFrame.control(FrameType.GOODBYE, 0).bytes();
  static final int FRAME = 64 << 10;
  static final Duration LOOK = Duration.ofMillis(250);
  static final SendOptions RUNS = SendOptions.handedOff().codec("runs");

  static TransportOptions.Builder options() {
    return EngineBench.options()
        .codecs(EngineBench.RAW_LE, RunsCodec.CODEC)
        .checksums(Checksums.UNWANTED);
  }

  static Offer peer(FlowOffer flow, boolean checksums) {
    Offer all = EngineBench.offer();
    return new Offer(
        Map.of(1, "raw-le", RunsCodec.ENCODING.code(), RunsCodec.ENCODING.name()),
        all.elementTypes(),
        ByteOrder.LITTLE_ENDIAN,
        all.maxArrayBytes(),
        all.maxFrameBytes(),
        checksums,
        new byte[0],
        "a test",
        flow);
  }

  static Offer peer() {
    return peer(new FlowOffer(1, EngineBench.PLENTY, EngineBench.PLENTY, 0, 4), false);
  }

  static EngineBench sender() {
    return EngineBench.connector(options()).open(peer());
  }

  /** A sender of small chunks that has credit for a channel, and twice as much in all. */
  static EngineBench sender(int credit) {
    return EngineBench.connector(options().chunkBytes(1024))
        .open(peer(new FlowOffer(1, credit, 2 * credit, 0, 0), false));
  }

  /** So much credit from the beginning on, for channel 0 and in all. */
  static RawFrame credit(int total) {
    return RawFrame.control(FrameType.CREDIT, 0)
        .with(header -> {
          header.tag = total;
          header.count = total;
        });
  }

  static byte[] hello(boolean checksums) {
    return EngineBench.preambled(
        HandshakeMessage.hello(
            peer(new FlowOffer(1, EngineBench.PLENTY, EngineBench.PLENTY, 0, 4), checksums)));
  }

  static EngineBench receiver() {
    return EngineBench.acceptor(options()).open(peer());
  }

  /** Elements of which long runs are equal, or none. */
  static Object elements(ElementType type, int count, boolean runs) {
    Object array = type.newArray(count);
    Random random = new Random(count);
    for (int i = 0; i < count; i++) {
      long bits = runs ? i / 300 : random.nextLong();
      NaiveElements.setBits(type, array, i, type == ElementType.BOOLEAN ? bits & 1 : bits);
    }
    return array;
  }

  /** The blocks in a payload, each with its head. */
  static List<byte[]> blocks(byte[] payload) {
    List<byte[]> blocks = new ArrayList<>();
    for (int at = 0; at < payload.length; ) {
      int word = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
      int end = at + HEAD + (word & Integer.MAX_VALUE);
      blocks.add(Arrays.copyOfRange(payload, at, end));
      at = end;
    }
    return blocks;
  }

  static int count(byte[] block) {
    return ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  static boolean isRaw(byte[] block) {
    return block[3] < 0;
  }

  static byte[] block(int bytes, boolean raw, int elements, byte... content) {
    return ByteBuffer.allocate(HEAD + content.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(raw ? bytes | 1 << 31 : bytes)
        .putInt(elements)
        .put(content)
        .array();
  }

  /** A block of so many equal bytes. */
  static byte[] run(int elements, int value) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (int left = elements; left > 0; left -= 256) {
      content.write(Math.min(left, 256) - 1);
      content.write(value);
    }
    return block(content.size(), false, elements, content.toByteArray());
  }

  static byte[] together(byte[]... pieces) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  /** An array of bytes in one frame. */
  static RawFrame array(int count, byte[]... blocks) {
    return RawFrame.array(
            RunsCodec.ENCODING.code(), ElementType.BYTE.code(), 1, count, together(blocks))
        .with(header -> header.arrayBytes = count);
  }

  static EngineBench receiver(TransportOptions.Builder options) {
    return EngineBench.acceptor(options)
        .open(peer(new FlowOffer(1, 1 << 20, 1 << 20, 5000, 4), false));
  }

  /** A frame that ends the connection, and with which code. */
  record Fault(String name, RawFrame frame, ErrorCode code) {
    @Override
    public String toString() {
      return name;
    }
  }

  /** Asserts that a frame ends the connection, and that the peer is told why. */
  static void assertRefused(Fault fault, Taking... takings) {
    EngineBench bench = receiver();
    bench.feed(fault.frame());
    assertThat(bench.handler.arrays).isEmpty();
    String text = bench.error(fault.code());
    bench.end();
    bench.assertFailed(fault.code());
    assertThat(text).contains(String.valueOf(bench.handler.cause.getMessage()));
    assertThat(text).isNotEmpty().hasSizeLessThanOrEqualTo(300);
    for (Taking taking : takings) {
      // A byte at a time it is the same.
      BareConnection slow = new BareConnection(Role.ACCEPTOR, options(), taking, there -> 1);
      slow.feed(hello(false), fault.frame().bytes());
      ArraywireException cause = slow.end();
      assertThat(cause).matches(fault.code()::isOf);
      assertThat(slow.taken).isEmpty();
    }
  }
}
