package io.arraywire.testkit;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.LagPolicy;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.message.Message;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.SubscribeBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Hostile streams into the engine. What {@link EngineFuzz} says of each is compared with what
 * {@link SlowReader} makes of it.
 *
 * <p>The inputs of all targets of bytes begin with those that {@link EngineFuzz#of} takes.
 */
@Tag("newest")
class EngineFuzzTest {

  /** Anything, from the first byte on. */
  @FuzzTest
  void acceptor(byte[] data) {
    EngineFuzz fuzz = EngineFuzz.of(data);
    fuzz.runAcceptor(rest(data));
  }

  /** Anything, once the handshake is over. */
  @FuzzTest
  void frames(byte[] data) {
    EngineFuzz fuzz = EngineFuzz.of(data);
    fuzz.runFrames(rest(data));
  }

  /** Frames with any content and right magic, version and checksums. */
  @FuzzTest
  void sealedFrames(byte[] data) {
    EngineFuzz fuzz = EngineFuzz.of(data);
    fuzz.runFrames(sealed(rest(data)));
  }

  /** Frames that a peer might send, and some that are wrong in one place. */
  @FuzzTest
  void likelyFrames(FuzzedDataProvider data) {
    EngineFuzz fuzz = EngineFuzz.of(data.consumeBytes(EngineFuzz.SETTING_BYTES));
    fuzz.runFrames(new LikelyFrames(data, fuzz.checksums(), fuzz.numbers()).stream());
  }

  /** Plain mode. */
  @FuzzTest
  void plain(byte[] data) {
    EngineFuzz fuzz = EngineFuzz.of(data);
    fuzz.runPlain(rest(data));
  }

  private static byte[] rest(byte[] data) {
    return Arrays.copyOfRange(data, Math.min(data.length, EngineFuzz.SETTING_BYTES), data.length);
  }

  private static byte[] sealed(byte[] stream) {
    ByteBuffer bytes = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (stream.length - at >= FrameLayout.HEADER_BYTES) {
      bytes.putInt(at, FrameLayout.MAGIC).put(at + 4, (byte) FrameLayout.VERSION);
      long body = (bytes.getShort(at + 10) & 0xffff) + (bytes.getInt(at + 48) & 0xffffffffL);
      int from = at + FrameLayout.HEADER_BYTES;
      int to = (int) Math.min(stream.length, from + body);
      if ((stream[at + 8] & FrameLayout.FLAG_PAYLOAD_CHECKSUM) != 0) {
        bytes.putInt(at + 52, crc(stream, from, to));
      }
      bytes.putInt(at + 60, crc(stream, at, at + 60));
      at = to;
    }
    return stream;
  }

  static int crc(byte[] bytes, int from, int to) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, to - from);
    return (int) crc.getValue();
  }

  /** Makes a stream of mostly right frames out of fuzzed data. */
  private static final class LikelyFrames {
    private static final int MOST_FRAMES = 64;
    private static final List<Codec> CODECS = FuzzCodec.all((type, array) -> {});

    private final FuzzedDataProvider data;
    private final boolean checksums;
    private final List<Line> lines;
    private final ByteArrayOutputStream stream = new ByteArrayOutputStream();
    private final FrameHeader header = new FrameHeader();

    /** The one that the next frame is of. */
    private Line line;

    /** A channel or subscription: the array that is begun, and what is left of it. */
    private static final class Line {
      final int id;
      long sequence;
      long publication;
      @Nullable Encoding encoding;
      ElementType type = ElementType.FLOAT;
      int count;
      long arrayBytes;
      @Nullable PartTable parts;
      byte[] left = new byte[0];

      Line(int id) {
        this.id = id;
      }
    }

    LikelyFrames(FuzzedDataProvider data, boolean checksums, List<Integer> numbers) {
      this.data = data;
      this.checksums = checksums;
      lines = numbers.stream().map(Line::new).toList();
      line = lines.get(0);
    }

    byte[] stream() {
      for (int i = 0; i < MOST_FRAMES && data.remainingBytes() > 0; i++) {
        if (lines.size() > 1) {
          line = data.pickValue(lines);
        }
        switch (data.consumeInt(0, 7)) {
          case 0, 1 -> {
            if (line.left.length > 0 && data.consumeInt(0, 15) > 0) {
              chunk();
            } else {
              array();
            }
          }
          case 2, 3, 4 -> {
            if (line.left.length > 0) {
              chunk();
            } else {
              array();
            }
          }
          case 5, 6 -> control();
          default -> {
            if (data.consumeBoolean()) {
              anyFrame();
            } else {
              stream.writeBytes(data.consumeBytes(data.consumeInt(1, 80)));
            }
          }
        }
      }
      byte[] all = stream.toByteArray();
      return data.consumeInt(0, 7) == 7 ? Arrays.copyOf(all, data.consumeInt(0, all.length)) : all;
    }

    private void array() {
      Encoding next = data.pickValue(CODECS).encoding();
      line.type = data.pickValue(ElementType.values());
      if (!next.supports(line.type)) {
        line.type = ElementType.FLOAT;
      }
      line.count = data.consumeInt(0, 3) == 3 ? data.consumeInt(0, 600) : data.consumeInt(0, 12);
      int count = line.count;
      int width = next.elementBytes(line.type);
      int prefix = next.prefixBytes(line.type, count);
      ByteBuffer payload = ByteBuffer.allocate(prefix + count * width);
      next.putPrefix(line.type, count, payload);
      payload.put(data.consumeBytes(Math.min(count * width, 64)));
      ArrayAttributes attributes = attributes(prefix == 0 ? payload.capacity() : -1);
      line.parts = attributes.parts();
      if (line.parts != null) {
        // The elements are bytes; the table says what they mean.
        line.type = ElementType.BYTE;
        width = 1;
        count = payload.capacity();
        line.count = count;
      }
      byte[] body = AttributesBody.write(envelope(attributes));

      int first = count == 0 || data.consumeInt(0, 2) > 0 ? count : data.consumeInt(1, count);
      line.left = Arrays.copyOfRange(payload.array(), prefix + first * width, payload.capacity());
      line.encoding = next;
      line.arrayBytes = payload.capacity();
      line.sequence++;
      element(FrameType.ARRAY);
      header.tag = attributes.tag();
      header.attributeBytes = body.length;
      header.arrayBytes = line.arrayBytes;
      write(body, Arrays.copyOf(payload.array(), prefix + first * width));
    }

    private ArrayEnvelope envelope(ArrayAttributes attributes) {
      boolean odd = data.consumeInt(0, 15) == 15;
      if (odd && data.consumeBoolean()) {
        return ArrayEnvelope.request(attributes, data.consumeLong(1, 4));
      }
      if (odd == line.id < 0) {
        return ArrayEnvelope.of(attributes);
      }
      line.publication += data.consumeInt(0, 31) == 31 ? 0 : data.consumeInt(1, 3);
      return ArrayEnvelope.publication(attributes, Math.max(1, line.publication));
    }

    private ArrayAttributes attributes(int bytes) {
      return switch (data.consumeInt(0, 5)) {
        case 3 -> bytes >= 0 && bytes % Long.BYTES == 0 ? parts(bytes) : ArrayAttributes.NONE;
        case 4 ->
            ArrayAttributes.of(
                data.consumeLong(),
                new long[] {1, line.count},
                Map.of("key", "v".repeat(data.consumeInt(0, 9))));
        case 5 ->
            ArrayAttributes.of(
                1, new long[] {data.consumeLong(0, 40), data.consumeLong(0, 40)}, Map.of());
        default -> ArrayAttributes.NONE;
      };
    }

    private ArrayAttributes parts(int bytes) {
      int first = Long.BYTES * data.consumeInt(0, bytes / Long.BYTES);
      return Message.of("first", new byte[first])
          .with("second", new int[(bytes - first) / Integer.BYTES])
          .toAttributes();
    }

    private void chunk() {
      Encoding encoding = line.encoding;
      if (encoding == null) {
        return;
      }
      int width = encoding.elementBytes(line.type);
      int elements = data.consumeInt(1, line.left.length / width);
      element(FrameType.CHUNK);
      header.arrayBytes = line.count - line.left.length / width;
      byte[] payload = Arrays.copyOf(line.left, elements * width);
      line.left = Arrays.copyOfRange(line.left, elements * width, line.left.length);
      write(new byte[0], payload);
    }

    private void element(FrameType frame) {
      header.clear(frame);
      header.channel = line.id;
      PartTable parts = line.parts;
      header.encoding = line.encoding == null || parts != null ? 0 : line.encoding.code();
      header.elementType = parts != null ? 0 : line.type.code();
      header.sequence = line.sequence;
      header.count = parts != null ? parts.elements() : line.count;
      header.flags = checksums ? FrameLayout.FLAG_PAYLOAD_CHECKSUM : 0;
    }

    private void control() {
      header.clear(data.pickValue(FrameType.values()));
      header.sequence = data.consumeInt(0, 3);
      header.tag = data.consumeLong();
      header.channel = line.id;
      byte[] body = new byte[0];
      if (header.type == FrameType.ABORT) {
        header.sequence = data.consumeInt(0, 7) == 7 ? line.sequence - 1 : line.sequence;
        line.left = new byte[0];
      } else if (header.type == FrameType.SUBSCRIBE) {
        body =
            new SubscribeBody("fuzz", data.pickValue(LagPolicy.values()), data.consumeLong(1, 99))
                .write();
      } else if (header.type == FrameType.ERROR
          || header.type == FrameType.REJECTED
          || (header.type == FrameType.UNSUBSCRIBED && data.consumeInt(0, 7) > 0)) {
        ErrorCode code = data.pickValue(ErrorCode.values());
        body = FaultBody.write(new ArraywireException(code, data.consumeString(20)));
      } else if (header.type == FrameType.CREDIT) {
        header.tag = EngineBench.PLENTY + data.consumeInt(-1, 3);
        header.count = EngineBench.PLENTY + data.consumeInt(-1, 3);
      } else if (header.type == FrameType.CANCEL) {
        header.tag = data.consumeLong(0, 5);
      } else if (data.consumeInt(0, 7) == 7) {
        body = data.consumeBytes(20);
      }
      if (!isLikely(header.type) && data.consumeInt(0, 7) > 0) {
        header.type = FrameType.PING;
        body = new byte[0];
      }
      header.flags = data.consumeInt(0, 3) == 3 ? FrameLayout.FLAG_PAYLOAD_CHECKSUM : 0;
      write(new byte[0], body);
    }

    /** What is seldom allowed here should be seldom. */
    private boolean isLikely(FrameType type) {
      boolean ofSubscription = type.code() >= FrameType.SUBSCRIBE.code();
      return type != FrameType.SUBSCRIBED && (!ofSubscription || line.id < 0);
    }

    private void anyFrame() {
      header.clear(data.pickValue(FrameType.values()));
      header.channel = line.id;
      header.encoding = data.consumeInt(0, 5);
      header.elementType = data.consumeInt(0, 10);
      header.flags = data.consumeInt(0, 4);
      header.attributeBytes = data.consumeInt(0, 3) == 3 ? data.consumeInt(0, 0xffff) : 0;
      header.sequence = data.consumeInt(0, 3) == 3 ? data.consumeLong() : line.sequence + 1;
      header.tag = data.consumeLong();
      header.count = data.consumeBoolean() ? data.consumeLong() : data.consumeInt(0, 40);
      header.arrayBytes =
          switch (data.consumeInt(0, 2)) {
            case 0 -> data.consumeLong();
            case 1 -> header.count * 4;
            default -> header.count * 8;
          };
      header.payloadBytes =
          data.consumeBoolean() ? data.consumeLong(0, 0xffffffffL) : header.arrayBytes;
      header.payloadChecksum = data.consumeInt();
      ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
      header.write(bytes);
      stream.writeBytes(bytes.array());
      stream.writeBytes(data.consumeBytes(100));
    }

    /** Writes the frame, in some cases with one wrong field. */
    private void write(byte[] attributes, byte[] payload) {
      header.payloadBytes = payload.length;
      if (data.consumeInt(0, 7) == 7) {
        header.flags |= FrameLayout.FLAG_ACKNOWLEDGES;
        header.acknowledged = data.consumeInt(-1, 3);
      }
      if (header.has(FrameLayout.FLAG_PAYLOAD_CHECKSUM)) {
        CRC32C crc = new CRC32C();
        crc.update(attributes);
        crc.update(payload);
        header.payloadChecksum = (int) crc.getValue();
      }
      if (data.consumeInt(0, 31) == 31) {
        spoil();
      }
      ByteBuffer bytes = ByteBuffer.allocate(FrameLayout.HEADER_BYTES);
      header.write(bytes);
      if (data.consumeInt(0, 63) == 63) {
        bytes.array()[data.consumeInt(0, FrameLayout.HEADER_BYTES - 1)]++;
      }
      stream.writeBytes(bytes.array());
      stream.writeBytes(attributes);
      stream.writeBytes(payload);
    }

    private void spoil() {
      switch (data.consumeInt(0, 11)) {
        case 0 -> header.encoding = data.consumeInt(0, 255);
        case 1 -> header.elementType = data.consumeInt(0, 255);
        case 2 -> header.flags = data.consumeInt(0, 0xffff);
        case 3 -> header.attributeBytes = data.consumeInt(0, 0xffff);
        case 4 ->
            header.channel = data.consumeBoolean() ? data.consumeInt() : FrameLayout.SUBSCRIPTION;
        case 5 -> header.sequence = data.consumeLong();
        case 6 -> header.tag = data.consumeLong();
        case 7 -> header.count = data.consumeLong();
        case 8 -> header.arrayBytes = data.consumeLong();
        case 9 -> header.payloadBytes = data.consumeInt() & 0xffffffffL;
        case 10 -> header.payloadChecksum = data.consumeInt();
        default -> header.type = data.pickValue(FrameType.values());
      }
    }
  }
}
