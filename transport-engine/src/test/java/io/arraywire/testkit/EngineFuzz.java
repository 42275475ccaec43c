package io.arraywire.testkit;

import com.sun.management.ThreadMXBean;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.Checksums;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.Receipt;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.message.PartTable;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BareConnection.Taken;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.testkit.SlowReader.Flow;
import io.arraywire.testkit.SlowReader.Setting;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.FlowOffer;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One hostile stream into one connection, and everything that must hold then: the arrays delivered
 * and the end are those that {@link SlowReader} says; every send has one result; the peer is told
 * what the protocol's page says; memory is given back, and none is taken on the strength of a
 * declared size.
 */
final class EngineFuzz {
  /** How many bytes {@link #of} takes. */
  static final int SETTING_BYTES = 3;

  /** What an array may be ahead of its bytes, besides twice as many. */
  private static final long AHEAD = 64 << 10;

  /** What a run may allocate, besides so many times what it was fed: far less than any hoax. */
  private static final long ALLOWANCE = 8 << 20;

  private static final long ALLOWANCE_PER_BYTE = 4 << 10;

  private static final int CHANNELS = 3;
  private static final int SUBSCRIPTIONS = 2;

  private static final Offer NARROW = EngineBench.offer();
  private static final Offer WIDE =
      EngineBench.offer(
          new FlowOffer(CHANNELS, EngineBench.PLENTY, EngineBench.PLENTY, 0, SUBSCRIPTIONS));

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Taking taking;
  private final Role role;
  private final boolean checksums;
  private final int sent;
  private final boolean awaited;
  private final long maxArrayBytes;
  private final int maxFrameBytes;
  private final IntUnaryOperator portions;
  private final ElementType plainType;

  /** Whether there are several channels, subscriptions, and an end of credit. */
  private final boolean wide;

  private final int channelCredit;
  private final int connectionCredit;

  private final List<Codec> codecs = FuzzCodec.all(this::decodes);
  private final List<CompletableFuture<Receipt>> sends = new ArrayList<>();
  private @Nullable BareConnection bare;
  private @Nullable AssertionError broken;

  private EngineFuzz(int who, int limits, int cuts) {
    taking = Taking.values()[(who & 7) % Taking.values().length];
    role = (who & 8) == 0 ? Role.ACCEPTOR : Role.CONNECTOR;
    checksums = (who & 16) != 0;
    sent = (who >> 5) & 3;
    awaited = (who & 128) != 0;
    // A target is allocated whole, which is its owner's affair.
    maxArrayBytes =
        taking == Taking.TARGETING_HANDLER
            ? 64 << 10
            : new long[] {1 << 30, 1 << 20, Long.MAX_VALUE, 100}[limits & 3];
    maxFrameBytes = new int[] {1 << 20, 64 << 20, 1 << 10, 1 << 16}[(limits >> 2) & 3];
    plainType = ElementType.values()[(limits >> 4) & 7];
    portions = portions(cuts);
    wide = (limits & 128) != 0;
    int credit = new int[] {64 << 10, 16 << 10, 4 << 10, 8 << 10}[(limits >> 2) & 3];
    channelCredit = wide ? credit : Integer.MAX_VALUE;
    connectionCredit = wide ? credit << (limits & 1) : Integer.MAX_VALUE;
  }

  /** Takes the first three bytes, those that there are. */
  static EngineFuzz of(byte[] data) {
    byte[] setting = Arrays.copyOf(data, SETTING_BYTES);
    return new EngineFuzz(setting[0] & 0xff, setting[1] & 0xff, setting[2] & 0xff);
  }

  private static IntUnaryOperator portions(int cuts) {
    if (cuts < 4) {
      int most = new int[] {Integer.MAX_VALUE, 1, 3, 64}[cuts];
      return there -> Math.min(there, most);
    }
    SplittableRandom random = new SplittableRandom(cuts);
    return there -> 1 + random.nextInt(Math.min(there, 1 << random.nextInt(10)));
  }

  boolean checksums() {
    return checksums;
  }

  /** The numbers of channels and subscriptions that a stream may use. */
  List<Integer> numbers() {
    return wide
        ? List.of(0, 1, 2, FrameLayout.SUBSCRIPTION, FrameLayout.SUBSCRIPTION | 1)
        : List.of(0);
  }

  private TransportOptions.Builder options() {
    return TransportOptions.builder()
        .codecs(codecs)
        .checksums(Checksums.of(checksums))
        .maxArrayBytes(maxArrayBytes)
        .maxFrameBytes(maxFrameBytes)
        .maxChannels(wide ? CHANNELS : 1)
        .maxSubscriptions(wide ? SUBSCRIPTIONS : 0)
        .inboxBytes(channelCredit)
        .connectionInboxBytes(connectionCredit)
        .memoryBudgetBytes(1L << 40);
  }

  /** A stream that begins with the peer's handshake. */
  void runAcceptor(byte[] stream) {
    SlowReader expected = SlowReader.acceptor(setting(0, false), stream);
    run(Role.ACCEPTOR, options(), new byte[0], stream, expected);
  }

  /** A stream that begins behind the handshake, and some arrays that were sent before. */
  void runFrames(byte[] stream) {
    SlowReader expected = SlowReader.frames(setting(sent, wide), stream);
    Offer peer = wide ? WIDE : NARROW;
    byte[] handshake =
        role == Role.ACCEPTOR
            ? HandshakeMessage.hello(peer)
            : HandshakeMessage.welcome(peer, FrameLayout.VERSION);
    run(role, options(), EngineBench.preambled(handshake), stream, expected);
  }

  /** A stream without frames. */
  void runPlain(byte[] stream) {
    SlowReader expected = SlowReader.plain(plainType, maxArrayBytes, stream);
    TransportOptions.Builder plain =
        options().plain(plainType).inboxBytes(taking.isHandler() ? 1 << 20 : 0);
    run(role, plain, new byte[0], stream, expected);
  }

  private Setting setting(int arraysSent, boolean subscribed) {
    Flow flow =
        new Flow(
            wide ? CHANNELS : 1,
            wide ? SUBSCRIPTIONS : 0,
            channelCredit,
            connectionCredit,
            !taking.isHandler(),
            subscribed);
    return new Setting(
        codecs,
        checksums,
        maxArrayBytes,
        maxFrameBytes,
        arraysSent,
        awaited,
        taking.answers(),
        flow);
  }

  private void run(
      Role side,
      TransportOptions.Builder options,
      byte[] handshake,
      byte[] stream,
      SlowReader expected) {
    long allowed = ALLOWANCE + ALLOWANCE_PER_BYTE * stream.length;
    long allocated = Long.MAX_VALUE;
    // The first time, classes are loaded.
    for (int i = 0; i < 4 && allocated > allowed; i++) {
      allocated = runOnce(side, options, handshake, stream, expected);
    }
    check(
        allocated <= allowed,
        "allocated too much (bytes=" + allocated + ", fed=" + stream.length + ")");
  }

  /** Returns what was allocated. */
  private long runOnce(
      Role side,
      TransportOptions.Builder options,
      byte[] handshake,
      byte[] stream,
      SlowReader expected) {
    sends.clear();
    long before = THREADS.getCurrentThreadAllocatedBytes();
    BareConnection connection = new BareConnection(side, options, taking, portions);
    bare = connection;
    boolean plain = options.build().plainType() != null;
    if (handshake.length > 0) {
      connection.feed(handshake);
      if (wide) {
        connection.takeFromChannels(CHANNELS);
        connection.subscribe("fuzz");
      }
      for (int i = 0; i < sent; i++) {
        sends.add(
            connection
                .connection
                .sendAsync(
                    ArraySlice.of(new float[] {i}),
                    awaited ? SendOptions.processed() : SendOptions.handedOff())
                .toCompletableFuture());
        connection.pump();
      }
      connection.written();
    }
    connection.feed(stream);
    if (handshake.length == 0 && expected.opened) {
      connection.takeFromChannels(expected.channels());
    }
    ArraywireException cause = connection.end();
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;

    if (broken != null) {
      throw broken;
    }
    if (!expected.undecided) {
      check(cause, connection.taken, expected);
    }
    check(connection.pool.most() <= 512 << 10, "acquired too much");
    for (CompletableFuture<Receipt> send : sends) {
      check(send.isDone(), "a send without a result");
    }
    byte[] written = connection.written();
    if (expected.undecided) {
      return allocated;
    }
    if (plain) {
      check(written.length == 0, "words in plain mode");
    } else {
      checkWritten(
          ByteBuffer.wrap(written), side == Role.ACCEPTOR && handshake.length == 0, expected);
    }
    return allocated;
  }

  /** What was said of a channel. */
  private final class Said {
    long acknowledged;
    long credit = channelCredit;
  }

  private void decodes(ElementType type, Object array) {
    BareConnection connection = bare;
    if (connection == null || taking == Taking.TARGETING_HANDLER || taking == Taking.INTO) {
      return;
    }
    long bytes = (long) Array.getLength(array) * type.bytes();
    if (bytes > AHEAD + 2 * connection.received()) {
      broken =
          new AssertionError(
              "an array ahead of its bytes (arrayBytes="
                  + bytes
                  + ", received="
                  + connection.received()
                  + ")");
    }
  }

  private void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise + (bare == null ? "" : ": " + bare.connection.describe()));
    }
  }

  private void check(@Nullable ArraywireException cause, List<Taken> taken, SlowReader expected) {
    boolean exceeded =
        cause != null
            && cause.code() == ErrorCode.CREDIT_EXCEEDED
            && !(cause instanceof RemoteErrorException);
    if (exceeded && expected.mayExceed.contains(taken.size())) {
      expected.exceeded(taken.size());
    }
    // Behind the goodbye both sides may already have ended in order.
    boolean rightEnd =
        cause == null
            ? expected.end == null || expected.goodbye
            : cause.code() == expected.end
                && cause instanceof RemoteErrorException == expected.reported;
    if (!rightEnd) {
      throw wrong("another end", expected.end, cause);
    }
    if (taken.size() != expected.arrays.size()) {
      throw wrong("other arrays", expected.arrays.size(), taken.size());
    }
    // One channel's come in order; those of several at the same time.
    List<Taken> right = byChannel(expected.arrays);
    List<Taken> came = byChannel(taken);
    for (int i = 0; i < came.size(); i++) {
      Taken one = came.get(i);
      Taken other = right.get(i);
      if (!one.header().equals(other.header())) {
        throw wrong("another array", other.header(), one.header());
      }
      ElementType type = one.header().type();
      for (int k = 0; k < one.header().count(); k++) {
        if (!NaiveElements.same(type, one.elements(), k, other.elements(), k)
            && !(isBetweenParts(one.header(), k)
                && NaiveElements.bits(type, one.elements(), k) == 0)) {
          throw wrong(
              "another element " + k + " of " + one.header(),
              NaiveElements.bits(type, other.elements(), k),
              NaiveElements.bits(type, one.elements(), k));
        }
      }
    }
  }

  /** Whether a byte of a message stands behind the elements of a part: it may be read as a zero. */
  private static boolean isBetweenParts(ArrayHeader header, int at) {
    PartTable parts = header.attributes().parts();
    if (parts == null) {
      return false;
    }
    boolean inside = false;
    for (int i = 0; i < parts.size(); i++) {
      long begin = parts.payloadAt(i);
      inside |= at >= begin && at < begin + (long) parts.countOf(i) * parts.typeOf(i).bytes();
    }
    return !inside;
  }

  private static List<Taken> byChannel(List<Taken> arrays) {
    return arrays.stream()
        .sorted(Comparator.comparingInt(each -> each.header().channel()))
        .toList();
  }

  private AssertionError wrong(String what, @Nullable Object expected, @Nullable Object actual) {
    return new AssertionError(
        what
            + " than expected (expected="
            + expected
            + ", actual="
            + actual
            + ")"
            + (bare == null ? "" : ": " + bare.connection.describe()));
  }

  /** What the peer was told. */
  private void checkWritten(ByteBuffer out, boolean withHandshake, SlowReader expected) {
    try {
      if (withHandshake && out.hasRemaining()) {
        byte[] preamble = new byte[Preamble.BYTES];
        out.get(preamble);
        out.position(out.position() + Preamble.read(preamble).messageBytes());
      }
      check(expected.opened || !out.hasRemaining(), "frames without a handshake");
      FrameHeader header = new FrameHeader();
      int pongs = 0;
      int rejections = 0;
      int subscribed = 0;
      int unsubscribed = 0;
      int givenUp = 0;
      Map<Integer, Said> said = new HashMap<>();
      long onConnection = connectionCredit;
      ErrorCode error = null;
      while (out.hasRemaining()) {
        check(error == null, "words behind the last");
        header.read(out);
        byte[] body = new byte[(int) header.payloadBytes];
        out.get(body);
        Said of = said.computeIfAbsent(header.channel, id -> new Said());
        if (header.has(FrameLayout.FLAG_ACKNOWLEDGES)) {
          of.acknowledged = Math.max(of.acknowledged, header.acknowledged);
        }
        switch (header.type) {
          case PONG -> {
            // One pong may answer all the pings that came before it could be sent.
            while (pongs < expected.pings.size() && header.tag != expected.pings.get(pongs)) {
              pongs++;
            }
            check(pongs < expected.pings.size(), "a pong that answers no ping");
            pongs++;
          }
          case ACK -> {
            check(header.sequence > of.acknowledged, "an acknowledgement that says nothing new");
            of.acknowledged = header.sequence;
          }
          case CREDIT -> {
            check(
                header.tag >= of.credit && header.count >= onConnection,
                "credit that takes some back");
            check(
                header.tag > of.credit || header.count > onConnection,
                "credit that says nothing new");
            of.credit = header.tag;
            onConnection = header.count;
            check(
                of.credit <= expected.channel(header.channel).credit.mostInTheEnd()
                    && onConnection <= expected.credit.mostInTheEnd(),
                "credit for which there is no room");
          }
          case REJECTED -> check(++rejections <= expected.requests, "a refusal of no request");
          case SUBSCRIBED -> check(++subscribed <= expected.subscribes, "a welcome to nobody");
          case UNSUBSCRIBED ->
              check(++unsubscribed <= expected.unsubscribes, "the end of no subscription");
          case UNSUBSCRIBE -> check(++givenUp <= expected.givenUp, "a subscription given up");
          case ERROR -> error = FaultBody.read(body).code();
          case GOODBYE -> {}
          default -> check(false, "a frame that nobody asked for: " + header.type);
        }
      }
      check(
          pongs == expected.pings.size() || expected.end != null || expected.goodbye,
          "a ping that no pong answers");
      said.forEach((id, of) ->
          check(
              of.acknowledged <= expected.channel(id).lastWhole,
              "an acknowledgement of what did not come"));
      if (expected.goodbye) {
        return;
      }
      boolean told =
          expected.opened
              && !expected.reported
              && expected.end != ErrorCode.TRUNCATED
              && expected.end != ErrorCode.CONNECTION_RESET;
      check(error == (told ? expected.end : null), "another error was told: " + error);
    } catch (IOException e) {
      throw new AssertionError("what was written cannot be read", e);
    }
  }
}
