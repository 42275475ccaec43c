package io.arraywire.testkit;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.Encoding;
import io.arraywire.ErrorCode;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.Envelopes;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a connection must make of a stream, by {@code docs/protocol.md}. It reads the whole stream
 * in one pass, without portions and states. Handshake messages and attributes aside it shares no
 * code with the engine.
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
      boolean answersRequests,
      Flow flow) {}

  /**
   * What was agreed, or is offered, of channels, subscriptions and credit.
   *
   * @param kept whether nobody asks for an array before the stream has ended
   * @param subscribed whether this side has subscription 0
   */
  record Flow(
      int channels,
      int subscriptions,
      long channelCredit,
      long connectionCredit,
      boolean kept,
      boolean subscribed) {
    /** One channel, no subscription, and more credit than a stream can use up. */
    static final Flow NARROW = new Flow(1, 0, Integer.MAX_VALUE, Integer.MAX_VALUE, false, false);
  }

  /** The arrays that must be delivered, in order. */
  final List<Taken> arrays = new ArrayList<>();

  /** How many frames without effect are borne, and how many there were. */
  private float bearable = 200;

  private float useless;
  private int answers;

  /** What this side may send, as the peer says, on each channel at first, and on all. */
  private long peersChannelCredit = EngineBench.PLENTY;

  private long peersCredit = EngineBench.PLENTY;

  /** How many of each were agreed. */
  private int channels;

  private int subscriptions;

  final SlowCredit credit;
  private final Map<Integer, SlowChannel> all = new TreeMap<>();

  /** The highest number of a request of the peer, how many there were, and were cancelled. */
  private long highestRequest;

  int requests;
  private int cancelled;

  /** How many subscriptions of the peer are agreed to, are ended here, and what this side ends. */
  int subscribes;

  int unsubscribes;
  int givenUp;

  /**
   * How many arrays were whole at the frames for which there may have been too little credit, as it
   * depends on how soon arrays are taken.
   */
  final List<Integer> mayExceed = new ArrayList<>();

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
  private boolean checksums;

  // The header at hand.
  private SlowChannel at;
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

  /** An array of which a part is there. */
  static final class Arriving {
    final Encoding encoding;
    final ElementType type;
    final long sequence;
    final long count;
    final long bytes;

    // What the header said; with a table of parts that is something else.
    int encodingCode;
    int elementCode;
    long headerCount;
    ArrayAttributes attributes = ArrayAttributes.NONE;
    boolean request;
    final ByteArrayOutputStream elements = new ByteArrayOutputStream();
    long received;
    long charged;
    long dropped;

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
    Flow flow = setting.flow;
    channels = flow.channels;
    subscriptions = flow.subscriptions;
    credit = new SlowCredit(flow.connectionCredit, flow.kept);
    at = channel(0);
    for (long i = 1; setting.awaited && i <= setting.sent; i++) {
      at.unacknowledged.add(i);
    }
    if (flow.subscribed) {
      channel(FrameLayout.SUBSCRIPTION).subscribed = true;
    }
  }

  /** How many channels were agreed. */
  int channels() {
    return channels;
  }

  /** Of a number in a header. */
  SlowChannel channel(int id) {
    return all.computeIfAbsent(
        id,
        any ->
            new SlowChannel(
                id,
                new SlowCredit(setting.flow.channelCredit, setting.flow.kept),
                id == 0 ? setting.sent : 0,
                peersChannelCredit));
  }

  /** It was too little credit, where {@link #mayExceed} says that it may have been. */
  void exceeded(int whole) {
    arrays.subList(whole, arrays.size()).clear();
    end = ErrorCode.CREDIT_EXCEEDED;
    reported = false;
    goodbye = false;
  }

  private boolean isInsideArray() {
    return all.values().stream().anyMatch(each -> each.arriving != null);
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
    Setting none = new Setting(List.of(), false, maxArrayBytes, 0, 0, false, false, Flow.NARROW);
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
        throw new Over(channel(0).unacknowledged.isEmpty() ? null : ErrorCode.CONNECTION_RESET);
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
    must(!beginsTls(in.get(in.position()), in.get(in.position() + 1)), ErrorCode.TLS_MISMATCH);
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
        all.clear();
        peersChannelCredit = offer.flow().channelCredit();
        peersCredit = offer.flow().connectionCredit();
        channels = Math.min(channels, offer.flow().channels());
        subscriptions = Math.min(subscriptions, offer.flow().subscriptions());
        long heartbeat = offer.flow().heartbeatMillis();
        bearable += heartbeat == 0 ? 0 : 3 * (30_000f / Math.max(10, heartbeat));
      }
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
  }

  private static boolean beginsTls(byte first, byte second) {
    return (first == 0x16 || first == 0x15) && second == 3;
  }

  // Frames.

  private void frame() throws Over {
    if (!in.hasRemaining() && !goodbye && !isInsideArray()) {
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
    int from = in.position();
    byte[] bytes = take(HEADER);
    must(in.getInt(from + 60) == crc(Arrays.copyOf(bytes, 60)), ErrorCode.HEADER_CHECKSUM);
    must(bytes[4] == 2, ErrorCode.UNSUPPORTED_VERSION);
    type = bytes[5] & 0xff;
    must(type >= 1 && type <= 15, ErrorCode.UNKNOWN_CODE);
    encodingCode = bytes[6] & 0xff;
    elementCode = bytes[7] & 0xff;
    flags = in.getShort(from + 8) & 0xffff;
    must(flags <= 3, ErrorCode.UNKNOWN_CODE);
    attributeBytes = in.getShort(from + 10) & 0xffff;
    int id = in.getInt(from + 12);
    must(SlowChannel.isAgreed(id, channels, subscriptions), ErrorCode.UNKNOWN_CODE);
    at = channel(id);
    sequence = in.getLong(from + 16);
    tag = in.getLong(from + 24);
    count = in.getLong(from + 32);
    arrayBytes = in.getLong(from + 40);
    payloadBytes = in.getInt(from + 48) & 0xffffffffL;
    payloadChecksum = in.getInt(from + 52);
    if ((flags & 2) != 0) {
      long base = at.unacknowledged.isEmpty() ? at.sent : at.unacknowledged.getFirst();
      acknowledge(base + (in.getInt(from + 56) - (int) base));
    }
  }

  private void acknowledge(long upTo) throws Over {
    must(upTo >= 0 && upTo <= at.sent, ErrorCode.PROTOCOL_VIOLATION);
    at.unacknowledged.removeIf(waiting -> waiting <= upTo);
  }

  /** A frame of an array uses up credit. */
  private void charge(long cost) throws Over {
    must(!at.credit.mustRefuse(cost) && !credit.mustRefuse(cost), ErrorCode.CREDIT_EXCEEDED);
    if (!at.credit.mustAllow(cost) || !credit.mustAllow(cost)) {
      mayExceed.add(arrays.size());
    }
    at.credit.charge(cost);
    credit.charge(cost);
  }

  /** An array leaves nothing here. */
  private void free(Arriving array) {
    at.credit.frees(array.charged);
    credit.frees(array.charged);
  }

  private @Nullable Encoding encoding(int code) {
    for (Codec codec : setting.codecs) {
      if (codec.encoding().code() == code) {
        return codec.encoding();
      }
    }
    return null;
  }

  /** Null if this side offered none of the encodings that parts can have. */
  private @Nullable Encoding encodingOfBytes() {
    Encoding little = encoding(1);
    return little == null ? encoding(2) : little;
  }

  private void array() throws Over {
    must(
        !goodbye && at.arriving == null && !(at.isSubscription() && attributeBytes == 0),
        ErrorCode.PROTOCOL_VIOLATION);
    // The elements of a message with a table of parts are bytes.
    boolean table = encodingCode == 0 && elementCode == 0 && attributeBytes > 0;
    Encoding encoding = table ? encodingOfBytes() : encoding(encodingCode);
    ElementType element =
        table
            ? ElementType.BYTE
            : elementCode >= 1 && elementCode <= 14 ? ElementType.values()[elementCode - 1] : null;
    if (encoding == null || element == null || !encoding.supports(element)) {
      throw new Over(ErrorCode.UNKNOWN_CODE);
    }
    must(attributeBytes <= 65_528, ErrorCode.FRAME_TOO_LARGE);
    BigInteger whole = new BigInteger(Long.toUnsignedString(arrayBytes));
    must(
        whole.compareTo(BigInteger.valueOf(setting.maxArrayBytes)) <= 0, ErrorCode.FRAME_TOO_LARGE);
    must(payloadBytes <= setting.maxFrameBytes, ErrorCode.FRAME_TOO_LARGE);
    must(count >= 0, ErrorCode.BAD_LENGTH);
    must(!table || count <= arrayBytes && arrayBytes % 8 == 0, ErrorCode.COUNT_MISMATCH);
    long count = table ? arrayBytes : this.count;
    int width = encoding.elementBytes(element);
    BigInteger elements = BigInteger.valueOf(count).multiply(BigInteger.valueOf(width));
    must(elements.compareTo(whole) <= 0, ErrorCode.COUNT_MISMATCH);
    must(count <= Integer.MAX_VALUE - 8, ErrorCode.FRAME_TOO_LARGE);
    int prefix = encoding.prefixBytes(element, (int) count);
    must(elements.add(BigInteger.valueOf(prefix)).equals(whole), ErrorCode.COUNT_MISMATCH);
    // A table may have parts in blocks, whose heads and zeros come on top.
    long most = table ? arrayBytes + 16 * this.count : arrayBytes;
    must(
        payloadBytes >= prefix + (count > 0 ? width : 0) && payloadBytes <= most,
        ErrorCode.BAD_LENGTH);
    must((payloadBytes - prefix) % width == 0, ErrorCode.COUNT_MISMATCH);
    must(sequence == at.nextSequence, ErrorCode.SEQUENCE_GAP);
    must((flags & 1) != 0 == checksums, ErrorCode.PROTOCOL_VIOLATION);
    charge(256 + attributeBytes + (table ? 0 : payloadBytes));
    at.nextSequence++;
    Arriving array = new Arriving(encoding, element, sequence, count, arrayBytes);
    array.encodingCode = encodingCode;
    array.elementCode = elementCode;
    array.headerCount = this.count;
    array.charged = 256 + attributeBytes + payloadBytes;
    at.arriving = array;
    need(attributeBytes);
    byte[] attributes = take(attributeBytes);
    array.attributes = attributes(array, attributes);
    if (table) {
      must(payloadBytes <= arrayBytes, ErrorCode.BAD_LENGTH);
      charge(payloadBytes);
    }
    at.credit.begins(arrayBytes, array.request);
    credit.begins(arrayBytes, array.request);
    need(prefix);
    byte[] begin = take(prefix);
    byte[] right = new byte[prefix];
    encoding.putPrefix(element, (int) count, ByteBuffer.wrap(right));
    must(Arrays.equals(begin, right), ErrorCode.MALFORMED_PAYLOAD);
    array.received += prefix;
    elements(array, (int) payloadBytes - prefix, attributes, begin);
  }

  private FrameHeader header(int attributes) {
    FrameHeader header = new FrameHeader().clear(FrameType.ARRAY);
    header.encoding = encodingCode;
    header.elementType = elementCode;
    header.attributeBytes = attributes;
    header.tag = tag;
    header.count = count;
    header.arrayBytes = arrayBytes;
    return header;
  }

  private ArrayAttributes attributes(Arriving array, byte[] body) throws Over {
    ArrayEnvelope envelope;
    try {
      envelope =
          body.length == 0
              ? ArrayEnvelope.of(ArrayAttributes.of(tag, new long[0], Map.of()))
              : Envelopes.read(header(body.length), body);
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
    // There is no session here, and no request was made.
    must(
        envelope.reply() == 0
            && envelope.fault() == null
            && envelope.sessionSequence() == 0
            && (envelope.publication() != 0) == at.isSubscription(),
        ErrorCode.PROTOCOL_VIOLATION);
    array.request = envelope.request() != 0;
    if (at.isSubscription()) {
      must(
          !array.request && at.subscribed && envelope.publication() > at.lastPublication,
          ErrorCode.PROTOCOL_VIOLATION);
      array.dropped = envelope.publication() - at.lastPublication - 1;
      at.lastPublication = envelope.publication();
    }
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
    Arriving array = at.arriving;
    if (array == null) {
      throw new Over(ErrorCode.PROTOCOL_VIOLATION);
    }
    must(
        encodingCode == array.encodingCode
            && elementCode == array.elementCode
            && count == array.headerCount
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
    charge(payloadBytes);
    array.charged += payloadBytes;
    if (payloadBytes < 512 && payloadBytes < array.bytes - array.received) {
      useless();
    }
    elements(array, (int) payloadBytes);
  }

  /** The elements of a frame; {@code before} is what its checksum covers besides. */
  private void elements(Arriving array, int bytes, byte[]... before) throws Over {
    byte[] there = take(Math.min(bytes, in.remaining()));
    // What is refused is not looked at.
    for (int i = 0; !array.request && i + array.width() <= there.length; i += array.width()) {
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
      at.arriving = null;
      at.lastWhole = array.sequence;
      if (array.request) {
        free(array);
        return; // It is refused: nobody here answers any.
      }
      arrays.add(
          new Taken(
              new ArrayHeader(
                  array.type,
                  (int) array.count,
                  array.sequence,
                  array.attributes,
                  at.seen(),
                  array.dropped),
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
        must(tag >= at.peersCredit && count >= peersCredit, ErrorCode.PROTOCOL_VIOLATION);
        at.peersCredit = tag;
        peersCredit = count;
      }
      case 5 -> {
        useless();
        pings.add(tag);
      }
      case 6 -> useless();
      case 7 -> {
        reported = true;
        ErrorCode code;
        try {
          code = fault(body);
        } catch (Over unreadable) {
          code = ErrorCode.INTERNAL;
        }
        throw new Over(code);
      }
      case 8 -> {
        if (goodbye) {
          useless();
        }
        must(!isInsideArray(), ErrorCode.PROTOCOL_VIOLATION);
        goodbye = true;
      }
      case 9 -> {
        Arriving array = at.arriving;
        if (array == null || array.sequence != sequence) {
          throw new Over(ErrorCode.PROTOCOL_VIOLATION);
        }
        if (array.received < 512) {
          useless();
        }
        free(array);
        at.arriving = null;
      }
      case 11 -> {
        must(tag >= 1 && tag <= highestRequest, ErrorCode.PROTOCOL_VIOLATION);
        must(++cancelled <= requests, ErrorCode.PROTOCOL_VIOLATION);
      }
      case 12 -> subscribe(body);
      case 14 -> unsubscribe();
      case 15 -> unsubscribed(body);
      case 13 -> throw new Over(ErrorCode.PROTOCOL_VIOLATION); // It was answered before.
      default -> {
        fault(body);
        must(sequence >= 1 && sequence <= at.sent, ErrorCode.PROTOCOL_VIOLATION);
        must(++at.refusals <= at.sent, ErrorCode.PROTOCOL_VIOLATION);
        at.unacknowledged.remove(sequence);
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
    useless(1);
  }

  private void useless(float cost) throws Over {
    useless += cost;
    must(useless <= bearable, ErrorCode.CONTROL_FLOOD);
  }

  // Subscriptions.

  private void subscribe(byte[] body) throws Over {
    try {
      SubscribeBody.read(body);
    } catch (ArraywireException e) {
      throw new Over(e.code());
    }
    must(at.isSubscription() && !at.taken, ErrorCode.PROTOCOL_VIOLATION);
    at.taken = true;
    // Either side publishes.
    at.refused = goodbye;
    if (at.refused) {
      unsubscribes++;
      useless(1f / 8);
    } else {
      subscribes++;
    }
  }

  private void unsubscribe() throws Over {
    must(at.taken, ErrorCode.PROTOCOL_VIOLATION);
    at.taken = false;
    // A goodbye has ended it before; nothing is published here.
    if (!at.refused && !goodbye) {
      unsubscribes++;
      useless(1f / 8);
    }
  }

  private void unsubscribed(byte[] body) throws Over {
    must(at.arriving == null, ErrorCode.PROTOCOL_VIOLATION);
    if (body.length > 0) {
      fault(body);
    }
    must(at.subscribed && body.length > 0, ErrorCode.PROTOCOL_VIOLATION);
    at.subscribed = false;
    givenUp++;
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
              new ArrayHeader(element, elements, at.nextSequence++, ArrayAttributes.NONE),
              NaiveElements.decode(
                  element, take(elements * element.bytes()), elements, ByteOrder.BIG_ENDIAN)));
    }
  }
}
