package io.arraywire.testkit;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Negotiation;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import io.arraywire.wire.SubscribeBody;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a connection must make of a stream, said by somebody who goes by {@code docs/protocol.md}
 * and has the whole stream before him: one pass, no portions, no states. Protobuf messages aside it
 * shares no code with the engine.
 */
final class SlowReader {
  private static final int MAGIC = 0x465741f1;
  private static final int HEADER = 64;

  /** What the connection understands. */
  static final Offer OFFER = offer();

  /** What the connection is and did before the stream began. */
  record Setting(
      List<Codec> codecs,
      boolean checksums,
      long maxArrayBytes,
      int maxFrameBytes,
      int sent,
      boolean awaited,
      boolean answersRequests) {}

  /** The arrays that must be delivered, in order. */
  final List<Taken> arrays = new ArrayList<>();

  /** How many frames without effect are borne, and how many there were. */
  private float bearable = 200;

  private int useless;
  private int answers;
  private int refusals;

  /** What this side may send, as the peer says. */
  private long channelCredit = EngineBench.PLENTY;

  private long connectionCredit = EngineBench.PLENTY;

  /** The highest number of a request of the peer, how many there were, and were cancelled. */
  private long highestRequest;

  int requests;
  private int cancelled;

  /** The last sequence that came whole. */
  long lastWhole;

  /** Whether the rest depends on how soon handlers answer, which the stream does not say. */
  boolean undecided;

  /** The tags that must be returned, in order, as far as the connection lives. */
  final List<Long> pings = new ArrayList<>();

  /** Why the connection must fail, or null if it must end in order. */
  @Nullable ErrorCode end;

  /** Whether it is the peer that says so. */
  boolean reported;

  boolean opened;

  /** Whether the peer has said goodbye; after that a failure need not be told to anybody. */
  boolean goodbye;

  private final Setting setting;
  private final ByteBuffer in;
  private final ArrayDeque<Long> unacknowledged = new ArrayDeque<>();
  private boolean checksums;
  private long nextSequence = 1;

  // The header at hand.
  private int type;
  private int encodingCode;
  private int elementCode;
  private int flags;
  private int attributeBytes;
  private long sequence;
  private long tag;
  private long count;
  private long arrayBytes;
  private long payloadBytes;
  private int payloadChecksum;

  private @Nullable Arriving arriving;

  /** An array of which a part is there. */
  private static final class Arriving {
    final Encoding encoding;
    final ElementType type;
    final long sequence;
    final long count;
    final long bytes;
    ArrayAttributes attributes = ArrayAttributes.NONE;
    boolean request;
    final ByteArrayOutputStream elements = new ByteArrayOutputStream();
    long received;

    Arriving(Encoding encoding, ElementType type, long sequence, long count, long bytes) {
      this.encoding = encoding;
      this.type = type;
      this.sequence = sequence;
      this.count = count;
      this.bytes = bytes;
    }

    int width() {
      return encoding.elementBytes(type);
    }
  }

  private static final class Over extends Exception {
    private static final long serialVersionUID = 1;
    final @Nullable ErrorCode code;

    Over(@Nullable ErrorCode code) {
      super(null, null, false, false);
      this.code = code;
    }
  }

  private static Offer offer() {
    Map<Integer, String> encodings = new TreeMap<>(EngineBench.offer().encodings());
    encodings.put(FuzzCodec.CUSTOM.code(), FuzzCodec.CUSTOM.name());
    Offer bench = EngineBench.offer();
    return new Offer(
        encodings,
        bench.elementTypes(),
        bench.nativeOrder(),
        bench.maxArrayBytes(),
        bench.maxFrameBytes(),
        false,
        new byte[0],
        "fuzz",
        bench.flow());
  }

  private SlowReader(Setting setting, byte[] stream) {
    this.setting = setting;
    in = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
    checksums = setting.checksums;
    for (long i = 1; setting.awaited && i <= setting.sent; i++) {
      unacknowledged.add(i);
    }
  }

  /** Reads what a connection gets whose handshake is over. */
  static SlowReader frames(Setting setting, byte[] stream) {
    SlowReader reader = new SlowReader(setting, stream);
    reader.opened = true;
    reader.read();
    return reader;
  }

  /** Reads what an accepted connection gets from its first byte on. */
  static SlowReader acceptor(Setting setting, byte[] stream) {
    SlowReader reader = new SlowReader(setting, stream);
    reader.read();
    return reader;
  }

  /** Reads plain mode. */
  static SlowReader plain(ElementType type, long maxArrayBytes, byte[] stream) {
    Setting none = new Setting(List.of(), false, maxArrayBytes, 0, 0, false, false);
    SlowReader reader = new SlowReader(none, stream);
    reader.opened = true;
    try {
      reader.plain(type);
    } catch (Over over) {
      reader.end = over.code;
    }
    return reader;
  }

  private void read() {
    try {
      if (!opened) {
        handshake();
        opened = true;
      }
      while (true) {
        frame();
      }
    } catch (Over over) {
      end = over.code;
    }
  }

  private static void must(boolean holds, ErrorCode otherwise) throws Over {
    if (!holds) {
      throw new Over(otherwise);
    }
  }

  /** There must be as many bytes. */
  private void need(long bytes) throws Over {
    if (in.remaining() < bytes) {
      if (goodbye) {
        // The array that waits for its acknowledgement waits for ever, the others do not.
        throw new Over(unacknowledged.isEmpty() ? null : ErrorCode.CONNECTION_RESET);
      }
      throw new Over(ErrorCode.TRUNCATED);
    }
  }

  private byte[] take(int bytes) {
    byte[] taken = new byte[bytes];
    in.get(taken);
    return taken;
  }

  private static int crc(byte[]... pieces) {
    CRC32C crc = new CRC32C();
    for (byte[] piece : pieces) {
      crc.update(piece);
    }
    return (int) crc.getValue();
  }

  // Handshake: what is to be said on it here is the order of the checks.

  private void handshake() throws Over {
    need(4);
    must(in.getInt(in.position()) == 0x485741f1, ErrorCode.BAD_MAGIC);
    need(24);
    byte[] first = take(24);
    must(in.getInt(20) == crc(Arrays.copyOf(first, 20)), ErrorCode.HEADER_CHECKSUM);
    int length = in.getInt(8);
    must(length >= 0 && length <= 4096, ErrorCode.FRAME_TOO_LARGE);
    must(in.getShort(6) == 0 && in.getInt(16) == 0, ErrorCode.MALFORMED_PAYLOAD);
    need(length);
    byte[] message = take(length);
    must(in.getInt(12) == crc(message), ErrorCode.PAYLOAD_CHECKSUM);
    try {
      HandshakeMessage hello = HandshakeMessage.read(message);
      Offer offer = hello.offer();
      must(
          hello.kind() == HandshakeMessage.Kind.HELLO && offer != null,
          ErrorCode.PROTOCOL_VIOLATION);
      if (offer != null) {
        Negotiation.version(Preamble.read(first));
        Negotiation.agree(OFFER, offer);
        checksums |= offer.checksums();
        channelCredit = offer.flow().channelCredit();
        connectionCredit = offer.flow().connectionCredit();
        long heartbeat = offer.flow().heartbeatMillis();
        bearable += heartbeat == 0 ? 0 : 3 * (30_000f / Math.max(10, heartbeat));
      }
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
  }

  // Frames.

  private void frame() throws Over {
    if (!in.hasRemaining() && !goodbye && arriving == null) {
      throw new Over(ErrorCode.CONNECTION_RESET);
    }
    need(4);
    must(in.getInt(in.position()) == MAGIC, ErrorCode.BAD_MAGIC);
    need(HEADER);
    header();
    switch (type) {
      case 1 -> array();
      case 2 -> chunk();
      default -> control();
    }
  }

  private void header() throws Over {
    int at = in.position();
    byte[] bytes = take(HEADER);
    must(in.getInt(at + 60) == crc(Arrays.copyOf(bytes, 60)), ErrorCode.HEADER_CHECKSUM);
    must(bytes[4] == 2, ErrorCode.UNSUPPORTED_VERSION);
    type = bytes[5] & 0xff;
    must(type >= 1 && type <= 15, ErrorCode.UNKNOWN_CODE);
    encodingCode = bytes[6] & 0xff;
    elementCode = bytes[7] & 0xff;
    flags = in.getShort(at + 8) & 0xffff;
    must(flags <= 3, ErrorCode.UNKNOWN_CODE);
    attributeBytes = in.getShort(at + 10) & 0xffff;
    // There is one channel here, and no subscription.
    must(in.getInt(at + 12) == 0, ErrorCode.UNKNOWN_CODE);
    sequence = in.getLong(at + 16);
    tag = in.getLong(at + 24);
    count = in.getLong(at + 32);
    arrayBytes = in.getLong(at + 40);
    payloadBytes = in.getInt(at + 48) & 0xffffffffL;
    payloadChecksum = in.getInt(at + 52);
    if ((flags & 2) != 0) {
      long base = unacknowledged.isEmpty() ? setting.sent : unacknowledged.getFirst();
      acknowledge(base + (in.getInt(at + 56) - (int) base));
    }
  }

  private void acknowledge(long upTo) throws Over {
    must(upTo >= 0 && upTo <= setting.sent, ErrorCode.PROTOCOL_VIOLATION);
    unacknowledged.removeIf(waiting -> waiting <= upTo);
  }

  private @Nullable Encoding encoding() {
    for (Codec codec : setting.codecs) {
      if (codec.encoding().code() == encodingCode) {
        return codec.encoding();
      }
    }
    return null;
  }

  private void array() throws Over {
    must(!goodbye && arriving == null, ErrorCode.PROTOCOL_VIOLATION);
    Encoding encoding = encoding();
    ElementType element =
        elementCode >= 1 && elementCode <= 14 ? ElementType.values()[elementCode - 1] : null;
    if (encoding == null || element == null || !encoding.supports(element)) {
      throw new Over(ErrorCode.UNKNOWN_CODE);
    }
    must(attributeBytes <= 1024, ErrorCode.FRAME_TOO_LARGE);
    BigInteger whole = new BigInteger(Long.toUnsignedString(arrayBytes));
    must(
        whole.compareTo(BigInteger.valueOf(setting.maxArrayBytes)) <= 0, ErrorCode.FRAME_TOO_LARGE);
    must(payloadBytes <= setting.maxFrameBytes, ErrorCode.FRAME_TOO_LARGE);
    must(count >= 0, ErrorCode.BAD_LENGTH);
    int width = encoding.elementBytes(element);
    BigInteger elements = BigInteger.valueOf(count).multiply(BigInteger.valueOf(width));
    must(elements.compareTo(whole) <= 0, ErrorCode.COUNT_MISMATCH);
    must(count <= Integer.MAX_VALUE - 8, ErrorCode.FRAME_TOO_LARGE);
    int prefix = encoding.prefixBytes(element, (int) count);
    must(elements.add(BigInteger.valueOf(prefix)).equals(whole), ErrorCode.COUNT_MISMATCH);
    must(
        payloadBytes >= prefix + (count > 0 ? width : 0) && payloadBytes <= arrayBytes,
        ErrorCode.BAD_LENGTH);
    must((payloadBytes - prefix) % width == 0, ErrorCode.COUNT_MISMATCH);
    must(sequence == nextSequence, ErrorCode.SEQUENCE_GAP);
    must((flags & 1) != 0 == checksums, ErrorCode.PROTOCOL_VIOLATION);
    nextSequence++;
    Arriving array = new Arriving(encoding, element, sequence, count, arrayBytes);
    arriving = array;
    need(attributeBytes);
    byte[] attributes = take(attributeBytes);
    array.attributes = attributes(array, attributes);
    need(prefix);
    byte[] begin = take(prefix);
    byte[] right = new byte[prefix];
    encoding.putPrefix(element, (int) count, ByteBuffer.wrap(right));
    must(Arrays.equals(begin, right), ErrorCode.MALFORMED_PAYLOAD);
    array.received += prefix;
    elements(array, (int) payloadBytes - prefix, attributes, begin);
  }

  private ArrayAttributes attributes(Arriving array, byte[] body) throws Over {
    ArrayEnvelope envelope;
    try {
      envelope =
          body.length == 0
              ? ArrayEnvelope.of(ArrayAttributes.of(tag, new long[0], new byte[0]))
              : AttributesBody.readEnvelope(tag, body);
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
    ArrayAttributes attributes = envelope.attributes();
    BigInteger product = BigInteger.ONE;
    for (long dimension : attributes.shape()) {
      product = product.multiply(BigInteger.valueOf(dimension));
    }
    must(
        attributes.shape().length == 0 || product.equals(BigInteger.valueOf(count)),
        ErrorCode.COUNT_MISMATCH);
    // There is no session and no subscription here, and no request was made.
    must(
        envelope.reply() == 0
            && envelope.fault() == null
            && envelope.publication() == 0
            && envelope.sessionSequence() == 0,
        ErrorCode.PROTOCOL_VIOLATION);
    array.request = envelope.request() != 0;
    if (array.request) {
      requests++;
      highestRequest = Math.max(highestRequest, envelope.request());
      if (setting.answersRequests) {
        undecided = true;
        throw new Over(null);
      }
    }
    return attributes;
  }

  private void chunk() throws Over {
    Arriving array = arriving;
    if (array == null) {
      throw new Over(ErrorCode.PROTOCOL_VIOLATION);
    }
    must(
        encodingCode == array.encoding.code()
            && elementCode == array.type.code()
            && count == array.count
            && attributeBytes == 0,
        ErrorCode.PROTOCOL_VIOLATION);
    must(arrayBytes >= 0, ErrorCode.BAD_LENGTH);
    must(payloadBytes <= setting.maxFrameBytes, ErrorCode.FRAME_TOO_LARGE);
    must(payloadBytes > 0 && payloadBytes <= array.bytes - array.received, ErrorCode.BAD_LENGTH);
    must(payloadBytes % array.width() == 0, ErrorCode.COUNT_MISMATCH);
    must(
        sequence == array.sequence && arrayBytes == array.elements.size() / array.width(),
        ErrorCode.SEQUENCE_GAP);
    must((flags & 1) != 0 == checksums, ErrorCode.PROTOCOL_VIOLATION);
    if (payloadBytes < 512 && payloadBytes < array.bytes - array.received) {
      useless();
    }
    elements(array, (int) payloadBytes);
  }

  /** The elements of a frame; {@code before} is what its checksum covers besides. */
  private void elements(Arriving array, int bytes, byte[]... before) throws Over {
    byte[] there = take(Math.min(bytes, in.remaining()));
    for (int i = 0; i + array.width() <= there.length; i += array.width()) {
      must(FuzzCodec.accepts(array.encoding, there[i]), ErrorCode.MALFORMED_PAYLOAD);
    }
    if (there.length < bytes) {
      throw new Over(ErrorCode.TRUNCATED);
    }
    byte[][] covered = Arrays.copyOf(before, before.length + 1);
    covered[before.length] = there;
    must(!checksums || crc(covered) == payloadChecksum, ErrorCode.PAYLOAD_CHECKSUM);
    array.elements.writeBytes(there);
    array.received += bytes;
    if (array.received == array.bytes) {
      arriving = null;
      lastWhole = array.sequence;
      if (array.request) {
        return; // It is refused: nobody here answers any.
      }
      arrays.add(
          new Taken(
              new ArrayHeader(array.type, (int) array.count, array.sequence, array.attributes),
              FuzzCodec.decoded(
                  array.encoding, array.type, array.elements.toByteArray(), (int) array.count)));
    }
  }

  private void control() throws Over {
    must(payloadBytes <= 1024 && attributeBytes == 0, ErrorCode.FRAME_TOO_LARGE);
    need(payloadBytes);
    byte[] body = take((int) payloadBytes);
    must((flags & 1) == 0 || crc(body) == payloadChecksum, ErrorCode.PAYLOAD_CHECKSUM);
    switch (type) {
      case 3 -> {
        answer();
        acknowledge(sequence);
      }
      case 4 -> {
        answer();
        must(tag >= channelCredit && count >= connectionCredit, ErrorCode.PROTOCOL_VIOLATION);
        channelCredit = tag;
        connectionCredit = count;
      }
      case 5 -> {
        useless();
        pings.add(tag);
      }
      case 6 -> useless();
      case 7 -> {
        ErrorCode code = fault(body);
        reported = true;
        throw new Over(code);
      }
      case 8 -> {
        if (goodbye) {
          useless();
        }
        must(arriving == null, ErrorCode.PROTOCOL_VIOLATION);
        goodbye = true;
      }
      case 9 -> {
        must(arriving != null && arriving.sequence == sequence, ErrorCode.PROTOCOL_VIOLATION);
        if (arriving.received < 512) {
          useless();
        }
        arriving = null;
      }
      case 11 -> {
        must(tag >= 1 && tag <= highestRequest, ErrorCode.PROTOCOL_VIOLATION);
        must(++cancelled <= requests, ErrorCode.PROTOCOL_VIOLATION);
      }
      case 12 -> {
        subscribe(body);
        throw new Over(ErrorCode.PROTOCOL_VIOLATION);
      }
      case 13, 14 -> throw new Over(ErrorCode.PROTOCOL_VIOLATION);
      case 15 -> {
        if (arriving == null && body.length > 0) {
          ErrorCode unused = fault(body);
        }
        throw new Over(ErrorCode.PROTOCOL_VIOLATION);
      }
      default -> {
        fault(body);
        must(sequence >= 1 && sequence <= setting.sent, ErrorCode.PROTOCOL_VIOLATION);
        must(++refusals <= setting.sent, ErrorCode.PROTOCOL_VIOLATION);
        unacknowledged.remove(sequence);
      }
    }
  }

  /** An ACK or CREDIT: each array sent, of 256 bytes and a float, covers one per 64 of them. */
  private void answer() throws Over {
    if (++answers > setting.sent * 260 / 64) {
      useless();
    }
  }

  private void useless() throws Over {
    must(++useless <= bearable, ErrorCode.CONTROL_FLOOD);
  }

  private static void subscribe(byte[] body) throws Over {
    try {
      SubscribeBody.read(body);
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
  }

  private static ErrorCode fault(byte[] body) throws Over {
    try {
      return FaultBody.read(body).code();
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
  }

  // Plain mode.

  private void plain(ElementType element) throws Over {
    in.order(ByteOrder.BIG_ENDIAN);
    while (in.hasRemaining()) {
      need(4);
      int elements = in.getInt();
      must(elements >= 0, ErrorCode.BAD_LENGTH);
      must(
          (long) elements * element.bytes() <= setting.maxArrayBytes
              && elements <= Integer.MAX_VALUE - 8,
          ErrorCode.FRAME_TOO_LARGE);
      need((long) elements * element.bytes());
      arrays.add(
          new Taken(
              new ArrayHeader(element, elements, nextSequence++, ArrayAttributes.NONE),
              NaiveElements.decode(
                  element, take(elements * element.bytes()), elements, ByteOrder.BIG_ENDIAN)));
    }
  }
}
