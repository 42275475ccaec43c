package io.arraywire.engine;

import io.arraywire.Agreement;
import io.arraywire.ArrayAttributes;
import io.arraywire.Delivery;
import io.arraywire.ElementType;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.message.PartTable;
import io.arraywire.source.ArraySource;
import io.arraywire.spi.Codec;
import io.arraywire.spi.MessageText;
import java.util.Arrays;
import java.util.Objects;

/** Refuses what a caller must not ask for, before anything of an array is sent. */
final class SendChecks {
  private SendChecks() {}

  /** Refuses what would be ignored where nobody waits. */
  static void checkNoTimeout(SendOptions options) {
    Objects.requireNonNull(options, "options");
    if (options.timeout() != null) {
      throw new IllegalArgumentException(
          "only send has a timeout; the stage of sendAsync has orTimeout (timeout="
              + options.timeout()
              + ")");
    }
  }

  /** Refuses what a connection without a session cannot promise. */
  static void checkNoSession(SendOptions options, TransportOptions transport) {
    if (options.delivery() == Delivery.SESSION) {
      throw new IllegalArgumentException(
          "there is no session; set sessionTimeout on both sides (delivery=SESSION, sessionTimeout="
              + transport.sessionTimeout()
              + ")");
    }
  }

  /** Refuses what was not agreed with the peer. */
  static void checkAgreed(
      ArraySource source, SendOptions options, Agreement agreed, SendCodecs codecs) {
    PartTable parts = options.attributes().parts();
    // An array without names goes the shortest way.
    if (parts != null) {
      checkMessage(source, options.attributes(), parts, agreed);
    }
    boolean readable =
        parts == null
            ? agreed.elementTypes().contains(source.type())
                || codecs.isNamedFor(source.type(), options)
            : codecs.isReadable(source.type(), options.attributes(), agreed.elementTypes());
    if (!readable) {
      throw new IllegalArgumentException(
          MessageText.brief(
              codecs.isLossyOnly(source.type())
                  ? "the only codec loses bits, so a send must name it in SendOptions.codec; name"
                      + " it, or give both sides one that keeps all bits"
                  : "the element type was not agreed with the peer; send one that was, or give both"
                      + " sides a codec that has it",
              "type",
              parts == null ? source.type().typeName() : parts,
              "agreed",
              agreed.elementTypes(),
              "codecs",
              agreed.codecs()));
    }
    if (!options.attributes().shapeHolds(source.count())) {
      throw new IllegalArgumentException(shapeDoesNotFit(options.attributes(), source));
    }
  }

  private static void checkMessage(
      ArraySource source, ArrayAttributes attributes, PartTable parts, Agreement agreed) {
    if (agreed.plain()) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "plain mode carries arrays without names; send each part as an array of its own",
              "parts",
              parts));
    }
    checkParts(source, attributes);
  }

  /** Whether the peer may have room for more elements than an array has, as in a file. */
  static boolean fits(ArraySource source, Codec codec, Agreement agreed) {
    return codec.encoding().hasPlainElements()
        && !agreed.plain()
        && source.count() <= agreed.maxSendBytes() / source.type().bytes();
  }

  /** Refuses what plain mode does not have. */
  static void checkPlain(SendOptions options) {
    if (options.delivery() != Delivery.HANDED_OFF) {
      throw new IllegalArgumentException(
          "plain mode has no acknowledgements; send handedOff, or use framed mode (delivery="
              + options.delivery()
              + ")");
    }
    if (options.codec() != null) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "plain mode has one encoding; leave the codec out", "codec", options.codec()));
    }
    if (options.attributes().hasBody() || options.attributes().tag() != 0) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "plain mode carries no attributes; leave tag, shape and metadata out, or use framed"
                  + " mode",
              "tag",
              options.attributes().tag(),
              "shape",
              Arrays.toString(options.attributes().shape()),
              "metadataBytes",
              options.attributes().metadataBytes()));
    }
  }

  /** A table describes bytes, all of them. */
  static void checkParts(ArraySource source, ArrayAttributes attributes) {
    PartTable parts = attributes.parts();
    if (parts != null
        && (source.type() != ElementType.BYTE || source.count() != parts.payloadBytes())) {
      throw new IllegalArgumentException(
          MessageText.brief(
              "the bytes are not those of the message that the table describes; send the message",
              "source",
              source,
              "payloadBytes",
              parts.payloadBytes(),
              "parts",
              parts));
    }
  }

  /** What is wrong with a shape that is not the source's. */
  static String shapeDoesNotFit(ArrayAttributes attributes, ArraySource source) {
    return MessageText.brief(
        "the shape does not hold as many elements as there are; give dimensions that multiply to"
            + " length",
        "tag",
        attributes.tag(),
        "shape",
        Arrays.toString(attributes.shape()),
        "metadataBytes",
        attributes.metadataBytes(),
        "length",
        source.count());
  }
}
