package io.arraywire;

import java.util.Objects;

/**
 * How one array is sent. Immutable.
 *
 * @param attributes tag, shape and metadata for the receiver
 * @param delivery what must have happened when the send is reported done
 */
public record SendOptions(ArrayAttributes attributes, Delivery delivery) {
  private static final SendOptions HANDED_OFF =
      new SendOptions(ArrayAttributes.NONE, Delivery.HANDED_OFF);
  private static final SendOptions PROCESSED =
      new SendOptions(ArrayAttributes.NONE, Delivery.PROCESSED);

  private static final SendOptions SESSION =
      new SendOptions(ArrayAttributes.NONE, Delivery.SESSION);

  /** Checks its parts. */
  public SendOptions {
    Objects.requireNonNull(attributes, "attributes");
    Objects.requireNonNull(delivery, "delivery");
  }

  /**
   * Done when the kernel took it.
   *
   * @return options without attributes
   */
  public static SendOptions handedOff() {
    return HANDED_OFF;
  }

  /**
   * Done when the far side has processed it.
   *
   * @return options without attributes
   */
  public static SendOptions processed() {
    return PROCESSED;
  }

  /**
   * Done when the far side has processed it, over another connection if this one breaks.
   *
   * @return options without attributes
   */
  public static SendOptions session() {
    return SESSION;
  }

  /**
   * The same delivery with a tag.
   *
   * @param tag the caller's number for the array
   * @return new options
   */
  public SendOptions tag(long tag) {
    return new SendOptions(
        ArrayAttributes.of(tag, attributes.shape(), attributes.metadata()), delivery);
  }

  /**
   * The same delivery with a shape.
   *
   * @param shape the dimensions, outermost first; they must multiply to the number of elements sent
   * @return new options
   */
  public SendOptions shape(long... shape) {
    return new SendOptions(
        ArrayAttributes.of(attributes.tag(), shape, attributes.metadata()), delivery);
  }

  /**
   * The same delivery with metadata.
   *
   * @param metadata opaque bytes, at most {@link ArrayAttributes#MAX_METADATA_BYTES}
   * @return new options
   */
  public SendOptions metadata(byte[] metadata) {
    return new SendOptions(
        ArrayAttributes.of(attributes.tag(), attributes.shape(), metadata), delivery);
  }
}
