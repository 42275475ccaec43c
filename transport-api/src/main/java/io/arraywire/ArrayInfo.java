package io.arraywire;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reusable description of the array that {@link ArrayInput#receiveInto(ArraySlice, ArrayInfo)} just
 * filled: it allocates nothing per array. Says the same as the {@link ArrayHeader} and the {@link
 * Receipt} of a {@link ReceivedArray}.
 *
 * <p>For one thread at a time. It describes an array once a receive call with it has returned, and
 * until the next one is made. After a receive call that threw or timed out it says nothing of use.
 */
public final class ArrayInfo {
  private @Nullable ElementType type;
  private int count;
  private long sequence;
  private int channel;
  private long dropped;
  private long tag;
  private @Nullable ArrayAttributes attributes;
  private @Nullable ArraySlice whole;
  private long wireBytes;
  private long copiedBytes;
  private long channelOperations;

  /** Makes one that describes no array yet. */
  public ArrayInfo() {}

  /**
   * The element type.
   *
   * @return the type
   * @throws IllegalStateException if no array was received with it
   */
  public ElementType type() {
    if (type == null) {
      throw new IllegalStateException("no array was received with this info");
    }
    return type;
  }

  /**
   * The number of elements, which lie from the offset of the target on.
   *
   * @return elements
   */
  public int count() {
    return count;
  }

  /**
   * The array's number on its channel, counted from 1 by the sender.
   *
   * @return the sequence
   */
  public long sequence() {
    return sequence;
  }

  /**
   * The channel that it came on.
   *
   * @return the number of the channel; -1 in a {@link Subscription}
   */
  public int channel() {
    return channel;
  }

  /**
   * In a {@link Subscription}: how many arrays the publisher dropped for this subscriber between
   * the array before and this one.
   *
   * @return arrays, 0 elsewhere
   */
  public long dropped() {
    return dropped;
  }

  /**
   * The sender's number for the array.
   *
   * @return the tag, 0 when none was given
   */
  public long tag() {
    return tag;
  }

  /**
   * The sender's tag, shape and metadata. This method and {@link #shape()} may allocate.
   *
   * @return the attributes
   */
  public ArrayAttributes attributes() {
    ArrayAttributes all = attributes;
    if (all == null) {
      all = ArrayAttributes.of(tag, new long[0], Map.of());
      attributes = all;
    }
    return all;
  }

  /**
   * The dimensions, outermost first. Allocates a copy.
   *
   * @return empty when no shape was given
   */
  public long[] shape() {
    return attributes().shape();
  }

  /**
   * Bytes of the array on the connection; see {@link Receipt#wireBytes()}.
   *
   * @return bytes
   */
  public long wireBytes() {
    return wireBytes;
  }

  /**
   * Bytes copied in user space; see {@link Receipt#copiedBytes()}.
   *
   * @return bytes, or {@link Receipt#UNKNOWN}
   */
  public long copiedBytes() {
    return copiedBytes;
  }

  /**
   * Reads of the channel that brought bytes of this array; see {@link Receipt#channelOperations()}.
   *
   * @return operations
   */
  public long channelOperations() {
    return channelOperations;
  }

  /** All of an array; for the same array as the time before, the same slice. */
  @SuppressWarnings("ReferenceEquality") // It is the very same array that is meant.
  ArraySlice whole(Object array) {
    ArraySlice last = whole;
    if (last == null || last.array() != array) {
      last = ArraySlice.ofArray(array);
      whole = last;
    }
    return last;
  }

  /** The array that it describes, in the slice that was filled. */
  ReceivedArray received(ArraySlice target) {
    return new ReceivedArray(
        new ArrayHeader(type(), count, sequence, attributes(), channel, dropped),
        ArraySlice.ofArray(target.array(), target.offset(), count).as(type()),
        new Receipt(count, wireBytes, copiedBytes, channelOperations, 0));
  }

  // For implementations of ArrayInput.

  /**
   * Describes an array. For implementers of {@link ArrayInput}.
   *
   * @param arrayType the element type
   * @param elements the number of elements
   * @param number the array's number on its channel
   * @param onChannel the number of the channel
   * @param missing arrays that were dropped before it
   */
  public void describe(
      ElementType arrayType, int elements, long number, int onChannel, long missing) {
    type = arrayType;
    count = elements;
    sequence = number;
    channel = onChannel;
    dropped = missing;
  }

  /**
   * Adds what the sender says of the array. For implementers of {@link ArrayInput}.
   *
   * @param sendersTag the sender's number for it
   * @param all tag, shape and metadata, or null if there is a tag at most
   */
  public void attribute(long sendersTag, @Nullable ArrayAttributes all) {
    tag = sendersTag;
    attributes = all;
  }

  /**
   * Adds what the transfer cost at this end. For implementers of {@link ArrayInput}.
   *
   * @param onWire bytes on the connection
   * @param copied bytes copied in user space, or {@link Receipt#UNKNOWN}
   * @param operations reads of the channel
   */
  public void cost(long onWire, long copied, long operations) {
    wireBytes = onWire;
    copiedBytes = copied;
    channelOperations = operations;
  }

  @Override
  public String toString() {
    return type == null
        ? "no array"
        : "array "
            + sequence
            + " of channel "
            + channel
            + " (type="
            + type.typeName()
            + ", count="
            + count
            + ", tag="
            + tag
            + ", wireBytes="
            + wireBytes
            + ", copiedBytes="
            + (copiedBytes == Receipt.UNKNOWN ? "unknown" : copiedBytes)
            + ", channelOperations="
            + channelOperations
            + ")";
  }
}
