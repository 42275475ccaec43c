package io.arraywire.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.wire.proto.EncodingName;
import io.arraywire.wire.proto.Handshake;
import io.arraywire.wire.proto.Hello;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one message that follows a preamble: a hello, a welcome or a reject.
 *
 * @param kind which of the three
 * @param offer what the sender says of itself, in a hello or welcome
 * @param wireVersion the frame version chosen, in a welcome
 * @param fault why it refuses, in a reject
 * @param session what the sender says of a session
 */
public record HandshakeMessage(
    Kind kind,
    @Nullable Offer offer,
    int wireVersion,
    @Nullable ArraywireException fault,
    SessionOffer session) {

  /** The three messages. */
  public enum Kind {
    /** From the connecting side. */
    HELLO,
    /** The listening side accepts. */
    WELCOME,
    /** The listening side refuses. */
    REJECT
  }

  /**
   * The connecting side's message.
   *
   * @param offer what it says of itself
   * @return the message's bytes
   */
  public static byte[] hello(Offer offer) {
    return hello(offer, SessionOffer.NONE);
  }

  /**
   * The connecting side's message.
   *
   * @param offer what it says of itself
   * @param session the session that it wants
   * @return the message's bytes
   */
  public static byte[] hello(Offer offer, SessionOffer session) {
    return Handshake.newBuilder()
        .setHello(asHello(offer, session).setToken(ByteString.copyFrom(offer.token())))
        .build()
        .toByteArray();
  }

  /**
   * The listening side's acceptance. The token stays out of it: it is the connecting side that
   * shows one.
   *
   * @param offer what it says of itself
   * @param wireVersion the frame version that is used from here on
   * @return the message's bytes
   */
  public static byte[] welcome(Offer offer, int wireVersion) {
    return welcome(offer, wireVersion, SessionOffer.NONE);
  }

  /**
   * The listening side's acceptance, see {@link #welcome(Offer, int)}.
   *
   * @param offer what it says of itself
   * @param wireVersion the frame version that is used from here on
   * @param session the session that it made or goes on with
   * @return the message's bytes
   */
  public static byte[] welcome(Offer offer, int wireVersion, SessionOffer session) {
    return Handshake.newBuilder()
        .setWelcome(asHello(offer, session).setWireVersion(wireVersion))
        .build()
        .toByteArray();
  }

  /**
   * The listening side's refusal.
   *
   * @param fault why
   * @return the message's bytes
   */
  public static byte[] reject(ArraywireException fault) {
    return Handshake.newBuilder().setReject(FaultBody.of(fault)).build().toByteArray();
  }

  /**
   * Reads a message.
   *
   * @param bytes its bytes
   * @return the message
   * @throws ProtocolException if they are not one of the three messages
   */
  public static HandshakeMessage read(byte[] bytes) throws ProtocolException {
    Handshake message;
    try {
      message = Handshake.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw malformed("the handshake message is not the protobuf message that it must be", e);
    }
    return switch (message.getBodyCase()) {
      case HELLO ->
          new HandshakeMessage(
              Kind.HELLO, asOffer(message.getHello()), 0, null, asSessionOffer(message.getHello()));
      case WELCOME ->
          new HandshakeMessage(
              Kind.WELCOME,
              asOffer(message.getWelcome()),
              message.getWelcome().getWireVersion(),
              null,
              asSessionOffer(message.getWelcome()));
      case REJECT ->
          new HandshakeMessage(
              Kind.REJECT,
              null,
              0,
              FaultBody.asHandshakeFault(message.getReject()),
              SessionOffer.NONE);
      case BODY_NOT_SET ->
          throw malformed("the handshake message is neither a hello, a welcome nor a reject", null);
    };
  }

  static ProtocolException malformed(String text, @Nullable Throwable cause) {
    ProtocolException malformed = new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, text);
    malformed.because(cause);
    return malformed;
  }

  private static Hello.Builder asHello(Offer offer, SessionOffer session) {
    Hello.Builder hello =
        Hello.newBuilder()
            .addAllElementTypes(new TreeSet<>(offer.elementTypes()))
            .setNativeOrder(
                offer.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                    ? io.arraywire.wire.proto.ByteOrder.BYTE_ORDER_LITTLE_ENDIAN
                    : io.arraywire.wire.proto.ByteOrder.BYTE_ORDER_BIG_ENDIAN)
            .setMaxArrayBytes(offer.maxArrayBytes())
            .setMaxFrameBytes((int) offer.maxFrameBytes())
            .setChecksums(offer.checksums())
            .setLibrary(offer.library())
            .setSessionMillis(session.millis())
            .setSession(ByteString.copyFrom(session.id()))
            .setSessionToken(ByteString.copyFrom(session.token()))
            .setChannels(offer.flow().channels())
            .setChannelCredit(offer.flow().channelCredit())
            .setConnectionCredit(offer.flow().connectionCredit())
            .setHeartbeatMillis((int) offer.flow().heartbeatMillis())
            .setSubscriptions(offer.flow().subscriptions());
    new TreeMap<>(offer.encodings())
        .forEach((code, name) ->
            hello.addEncodings(EncodingName.newBuilder().setCode(code).setName(name)));
    return hello;
  }

  private static Offer asOffer(Hello hello) throws ProtocolException {
    Map<Integer, String> encodings = new TreeMap<>();
    for (EncodingName encoding : hello.getEncodingsList()) {
      encodings.put(encoding.getCode(), encoding.getName());
    }
    long maxFrameBytes = Integer.toUnsignedLong(hello.getMaxFrameBytes());
    if (hello.getMaxArrayBytes() < 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible limit",
          "maxArrayBytes",
          Long.toUnsignedString(hello.getMaxArrayBytes()));
    }
    ByteOrder order =
        hello.getNativeOrder() == io.arraywire.wire.proto.ByteOrder.BYTE_ORDER_BIG_ENDIAN
            ? ByteOrder.BIG_ENDIAN
            : ByteOrder.LITTLE_ENDIAN;
    return new Offer(
        encodings,
        new HashSet<>(hello.getElementTypesList()),
        order,
        hello.getMaxArrayBytes(),
        maxFrameBytes,
        hello.getChecksums(),
        hello.getToken().toByteArray(),
        Words.printable(
            hello.getLibraryVersion().isEmpty()
                ? hello.getLibrary()
                : hello.getLibrary() + " " + hello.getLibraryVersion()),
        asFlowOffer(hello));
  }

  private static SessionOffer asSessionOffer(Hello hello) throws ProtocolException {
    if (hello.getSessionMillis() < 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible time",
          "sessionMillis",
          Long.toUnsignedString(hello.getSessionMillis()));
    }
    return new SessionOffer(
        hello.getSessionMillis(),
        hello.getSession().toByteArray(),
        hello.getSessionToken().toByteArray());
  }

  private static FlowOffer asFlowOffer(Hello hello) throws ProtocolException {
    boolean usable =
        hello.getChannelCredit() >= FlowOffer.LEAST_CREDIT
            && hello.getConnectionCredit() >= FlowOffer.LEAST_CREDIT
            && hello.getChannels() >= 1
            && hello.getSubscriptions() >= 0;
    if (!usable) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible credit or number of channels or subscriptions",
          "channels",
          Integer.toUnsignedString(hello.getChannels()),
          "channelCredit",
          Long.toUnsignedString(hello.getChannelCredit()),
          "connectionCredit",
          Long.toUnsignedString(hello.getConnectionCredit()),
          "leastCredit",
          FlowOffer.LEAST_CREDIT,
          "subscriptions",
          Integer.toUnsignedString(hello.getSubscriptions()));
    }
    return new FlowOffer(
        hello.getChannels(),
        hello.getChannelCredit(),
        hello.getConnectionCredit(),
        Integer.toUnsignedLong(hello.getHeartbeatMillis()),
        hello.getSubscriptions());
  }
}
