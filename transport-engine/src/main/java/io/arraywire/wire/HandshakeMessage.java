package io.arraywire.wire;

import com.google.protobuf.CodedInputStream;
import io.arraywire.ArraywireException;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import java.io.IOException;
import java.nio.ByteOrder;
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
  private static final int HELLO = 1;
  private static final int WELCOME = 2;
  private static final int REJECT = 3;

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
    HelloFields hello = asHello(offer, session);
    hello.token = offer.token();
    return message(HELLO, hello.write());
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
    HelloFields welcome = asHello(offer, session);
    welcome.wireVersion = wireVersion;
    return message(WELCOME, welcome.write());
  }

  /**
   * The listening side's refusal.
   *
   * @param fault why
   * @return the message's bytes
   */
  public static byte[] reject(ArraywireException fault) {
    return message(REJECT, FaultBody.write(fault));
  }

  private static byte[] message(int field, byte[] body) {
    return ProtoBytes.write(out -> out.writeByteArray(field, body));
  }

  /**
   * Reads a message.
   *
   * @param bytes its bytes
   * @return the message
   * @throws ProtocolException if they are not one of the three messages
   */
  public static HandshakeMessage read(byte[] bytes) throws ProtocolException {
    Body body = new Body();
    try {
      ProtoBytes.read(bytes, body);
    } catch (IOException e) {
      throw malformed("the handshake message is not the protobuf message that it must be", e);
    }
    return switch (body.field) {
      case HELLO ->
          new HandshakeMessage(
              Kind.HELLO, asOffer(body.hello), 0, null, asSessionOffer(body.hello));
      case WELCOME ->
          new HandshakeMessage(
              Kind.WELCOME,
              asOffer(body.hello),
              body.hello.wireVersion,
              null,
              asSessionOffer(body.hello));
      case REJECT ->
          new HandshakeMessage(
              Kind.REJECT, null, 0, FaultBody.asHandshakeFault(body.fault), SessionOffer.NONE);
      default ->
          throw malformed("the handshake message is neither a hello, a welcome nor a reject", null);
    };
  }

  /** The message {@code Handshake} of {@code handshake.proto}: the last of the three counts. */
  private static final class Body implements ProtoBytes.FieldReader {
    private int field;
    private HelloFields hello = new HelloFields();
    private FaultFields fault = new FaultFields();

    @Override
    public boolean read(int tag, CodedInputStream in) throws IOException {
      int next = tag >>> 3;
      if ((tag & 7) != ProtoBytes.BYTES || next < HELLO || next > REJECT) {
        return false;
      }
      if (next != field) {
        // The same again goes on with it, as protobuf has it.
        hello = new HelloFields();
        fault = new FaultFields();
        field = next;
      }
      ProtoBytes.readMessage(in, next == REJECT ? fault : hello);
      return true;
    }
  }

  static ProtocolException malformed(String text, @Nullable Throwable cause) {
    ProtocolException malformed = new ProtocolException(ErrorCode.MALFORMED_PAYLOAD, text);
    malformed.because(cause);
    return malformed;
  }

  private static HelloFields asHello(Offer offer, SessionOffer session) {
    HelloFields hello = new HelloFields();
    hello.encodings.putAll(offer.encodings());
    hello.elementTypes.addAll(offer.elementTypes());
    hello.nativeOrder =
        offer.nativeOrder() == ByteOrder.LITTLE_ENDIAN
            ? HelloFields.LITTLE_ENDIAN
            : HelloFields.BIG_ENDIAN;
    hello.maxArrayBytes = offer.maxArrayBytes();
    hello.maxFrameBytes = (int) offer.maxFrameBytes();
    hello.checksums = offer.checksums();
    hello.library = offer.library();
    hello.sessionMillis = session.millis();
    hello.session = session.id();
    hello.sessionToken = session.token();
    hello.channels = offer.flow().channels();
    hello.channelCredit = offer.flow().channelCredit();
    hello.connectionCredit = offer.flow().connectionCredit();
    hello.heartbeatMillis = (int) offer.flow().heartbeatMillis();
    hello.subscriptions = offer.flow().subscriptions();
    return hello;
  }

  private static Offer asOffer(HelloFields hello) throws ProtocolException {
    long maxFrameBytes = Integer.toUnsignedLong(hello.maxFrameBytes);
    if (hello.maxArrayBytes < 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible limit",
          "maxArrayBytes",
          Long.toUnsignedString(hello.maxArrayBytes));
    }
    ByteOrder order =
        hello.nativeOrder == HelloFields.BIG_ENDIAN
            ? ByteOrder.BIG_ENDIAN
            : ByteOrder.LITTLE_ENDIAN;
    return new Offer(
        hello.encodings,
        hello.elementTypes,
        order,
        hello.maxArrayBytes,
        maxFrameBytes,
        hello.checksums,
        hello.token,
        Words.printable(
            hello.libraryVersion.isEmpty()
                ? hello.library
                : hello.library + " " + hello.libraryVersion),
        asFlowOffer(hello));
  }

  private static SessionOffer asSessionOffer(HelloFields hello) throws ProtocolException {
    if (hello.sessionMillis < 0) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible time",
          "sessionMillis",
          Long.toUnsignedString(hello.sessionMillis));
    }
    return new SessionOffer(hello.sessionMillis, hello.session, hello.sessionToken);
  }

  private static FlowOffer asFlowOffer(HelloFields hello) throws ProtocolException {
    boolean usable =
        hello.channelCredit >= FlowOffer.LEAST_CREDIT
            && hello.connectionCredit >= FlowOffer.LEAST_CREDIT
            && hello.channels >= 1
            && hello.subscriptions >= 0;
    if (!usable) {
      throw new ProtocolException(
          ErrorCode.MALFORMED_PAYLOAD,
          "the handshake declares an impossible credit or number of channels or subscriptions",
          "channels",
          Integer.toUnsignedString(hello.channels),
          "channelCredit",
          Long.toUnsignedString(hello.channelCredit),
          "connectionCredit",
          Long.toUnsignedString(hello.connectionCredit),
          "leastCredit",
          FlowOffer.LEAST_CREDIT,
          "subscriptions",
          Integer.toUnsignedString(hello.subscriptions));
    }
    return new FlowOffer(
        hello.channels,
        hello.channelCredit,
        hello.connectionCredit,
        Integer.toUnsignedLong(hello.heartbeatMillis),
        hello.subscriptions);
  }
}
