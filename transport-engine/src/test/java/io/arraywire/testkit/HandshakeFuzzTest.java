package io.arraywire.testkit;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ElementType;
import io.arraywire.ErrorCode;
import io.arraywire.ProtocolException;
import io.arraywire.RemoteErrorException;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.engine.Role;
import io.arraywire.frame.FrameHeader;
import io.arraywire.frame.FrameLayout;
import io.arraywire.frame.FrameType;
import io.arraywire.spi.Codec;
import io.arraywire.testkit.BareConnection.Taking;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.Envelopes;
import io.arraywire.wire.FaultBody;
import io.arraywire.wire.HandshakeMessage;
import io.arraywire.wire.Negotiation;
import io.arraywire.wire.Offer;
import io.arraywire.wire.Preamble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;

/**
 * Hostile messages of the handshake, with a preamble that is right, and hostile bodies of frames.
 */
@Tag("newest")
class HandshakeFuzzTest {
  private static final int VALUES = 2000;
  private static final List<Codec> CODECS = FuzzCodec.all((type, array) -> {});

  /** The versions of the preamble, one byte each, and the message. */
  @FuzzTest
  void message(byte[] data) throws IOException {
    byte[] versions = Arrays.copyOf(data, 2);
    byte[] message =
        Arrays.copyOfRange(
            data, Math.min(data.length, 2), Math.min(data.length, 2 + Preamble.MAX_MESSAGE_BYTES));

    HandshakeMessage read = read(message);
    attributes(message);
    fault(message);
    byte[] handshake = Preamble.write(versions[0] & 0xff, versions[1] & 0xff, message);
    for (Role role : Role.values()) {
      connect(role, handshake, read);
    }
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  /** A message is refused, or is the same when it is written and read again. */
  private static @Nullable HandshakeMessage read(byte[] message) throws IOException {
    HandshakeMessage read;
    try {
      read = HandshakeMessage.read(message);
    } catch (ProtocolException e) {
      return null;
    }
    Offer offer = read.offer();
    check((offer == null) == (read.fault() != null), "neither an offer nor a fault, or both");
    if (offer != null) {
      boolean hello = read.kind() == HandshakeMessage.Kind.HELLO;
      HandshakeMessage again =
          HandshakeMessage.read(
              hello
                  ? HandshakeMessage.hello(offer)
                  : HandshakeMessage.welcome(offer, read.wireVersion()));
      check(again.kind() == read.kind(), "another kind");
      check(again.wireVersion() == read.wireVersion() || hello, "another version");
      Offer same = Objects.requireNonNull(again.offer());
      check(
          same.encodings().equals(offer.encodings())
              && same.elementTypes().equals(offer.elementTypes())
              && same.nativeOrder() == offer.nativeOrder()
              && same.maxArrayBytes() == offer.maxArrayBytes()
              && same.maxFrameBytes() == offer.maxFrameBytes()
              && same.checksums() == offer.checksums(),
          "another offer");
      check(Arrays.equals(same.token(), hello ? offer.token() : new byte[0]), "another token");
      check(printable(offer.toString()), "control characters in " + offer);
    }
    return read;
  }

  private static boolean printable(String text) {
    return text.chars().noneMatch(Character::isISOControl);
  }

  private static void attributes(byte[] body) throws IOException {
    try {
      ArrayAttributes read = Envelopes.read(7, body).attributes();
      if (body.length <= FrameLayout.MAX_ATTRIBUTE_BYTES) {
        check(
            Envelopes.read(7, AttributesBody.write(read)).attributes().equals(read),
            "other attributes");
      }
    } catch (ProtocolException e) {
      // Refused.
    }
  }

  private static void fault(byte[] body) throws IOException {
    try {
      RemoteErrorException read = FaultBody.read(body);
      check(printable(read.getMessage()), "control characters in " + read.getMessage());
    } catch (ProtocolException e) {
      // Refused.
    }
    // Any text of an exception here can be told to a peer.
    String text = new String(body, StandardCharsets.UTF_16LE);
    byte[] written = FaultBody.write(new ArraywireException(ErrorCode.REJECTED, text));
    check(written.length <= FrameLayout.MAX_CONTROL_BYTES, "a fault that fits no frame");
    check(FaultBody.read(written).code() == ErrorCode.REJECTED, "another code");
  }

  private static void connect(Role role, byte[] handshake, @Nullable HandshakeMessage message)
      throws IOException {
    BareConnection bare =
        new BareConnection(
            role, TransportOptions.builder().codecs(CODECS), Taking.HANDLER, there -> there);
    bare.written();
    bare.feed(handshake);
    ErrorCode expected = expected(role, handshake, message);
    check(bare.connection.isOpen() == (expected == null), "open: " + bare.connection.describe());
    if (expected == null) {
      use(bare, role, Objects.requireNonNull(Objects.requireNonNull(message).offer()));
      // The peer ends the stream without a goodbye.
      expected = ErrorCode.CONNECTION_RESET;
    }
    ArraywireException end = bare.end();
    check(end != null && end.code() == expected, "expected " + expected + ", ended with " + end);
  }

  /** Why the connection must fail, or null if it must open. */
  private static @Nullable ErrorCode expected(
      Role role, byte[] handshake, @Nullable HandshakeMessage message) throws IOException {
    if (message == null) {
      return ErrorCode.MALFORMED_PAYLOAD;
    }
    boolean hello = message.kind() == HandshakeMessage.Kind.HELLO;
    if (hello != (role == Role.ACCEPTOR)) {
      return ErrorCode.PROTOCOL_VIOLATION;
    }
    ArraywireException fault = message.fault();
    Offer offer = message.offer();
    if (fault != null || offer == null) {
      return Objects.requireNonNull(fault).code();
    }
    try {
      int version = Negotiation.version(Preamble.read(Arrays.copyOf(handshake, Preamble.BYTES)));
      Negotiation.agree(SlowReader.OFFER, offer);
      if (role == Role.CONNECTOR) {
        Negotiation.confirm(version, message.wireVersion());
      }
      // Nothing that can be resumed is kept here.
      return hello && message.session().isNamed() ? ErrorCode.RESUME_REJECTED : null;
    } catch (ArraywireException e) {
      return e.code();
    }
  }

  /** Whatever the peer's limits are, what it is sent keeps to them. */
  private static void use(BareConnection bare, Role role, Offer peer) throws IOException {
    Agreement agreement = bare.connection.agreement();
    check(printable(agreement.toString()), "control characters in " + agreement);
    ByteBuffer written = ByteBuffer.wrap(bare.written());
    if (role == Role.ACCEPTOR) {
      byte[] preamble = new byte[Preamble.BYTES];
      written.get(preamble);
      check(written.remaining() == Preamble.read(preamble).messageBytes(), "more than a welcome");
    }
    for (ElementType type : agreement.elementTypes()) {
      check(peer.elementTypes().contains(type.code()), "a type that the peer did not name");
      try {
        bare.connection.sendAsync(
            ArraySlice.ofArray(type.newArray(VALUES)).as(type), SendOptions.handedOff());
      } catch (IllegalArgumentException e) {
        throw new AssertionError(agreement.toString(), e);
      }
    }
    bare.pump();
    ByteBuffer frames = ByteBuffer.wrap(bare.written());
    FrameHeader header = new FrameHeader();
    while (frames.hasRemaining()) {
      header.read(frames);
      check(header.payloadBytes <= peer.maxFrameBytes(), "a frame that is too large");
      check(
          header.type == FrameType.CHUNK || header.arrayBytes <= peer.maxArrayBytes(),
          "an array that is too large");
      check(
          peer.encodings().get(header.encoding) != null, "an encoding that the peer did not name");
      frames.position(frames.position() + (int) header.payloadBytes);
    }
  }
}
