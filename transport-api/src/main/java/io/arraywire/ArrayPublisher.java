package io.arraywire;

import io.arraywire.message.Message;
import io.arraywire.source.ArraySource;
import java.nio.Buffer;

/**
 * Sends arrays to all subscribers of a subject: over one connection ({@link Connection}), or over
 * all connections of a listener ({@link Listener}).
 *
 * <p>Implementers write {@link #publish(String, ArraySource, ArrayAttributes)} and {@link
 * #subscribers(String)}. Whatever takes an {@link ArraySource} takes a whole array, too. Any thread
 * may call any method.
 */
public interface ArrayPublisher {

  /**
   * Sends an array to each subscriber of a subject here. The array is encoded once for each codec
   * in use and is the caller's own again when this returns or throws. The copy is pooled memory of
   * the array's encoded size. It is released when the last frame for the last subscriber is made. A
   * codec in blocks encodes later, once for all subscribers that are less than 4 MiB of blocks
   * apart; its copy has the elements. A block that it fails to encode travels raw.
   *
   * <p>Waits only for subscribers with {@link LagPolicy#BLOCK} whose queue is full: at most {@link
   * TransportOptions#sendTimeout()} for all of them together, after all others have the array. Each
   * subscriber gets what one thread publishes on a subject in the order of its calls. Give a
   * listener that only publishes a handler: without one, each connection waits in line for {@link
   * Listener#accept()}.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param source what to send
   * @param attributes tag, shape and metadata for the subscribers
   * @return what became of it; also where there is no subscriber
   * @throws IllegalArgumentException if the subject is not one, or the shape does not hold the
   *     elements
   * @throws ConnectionClosedException if the listener or the connection is closed
   * @throws ArrayTooLargeException if the array has more than 2 GiB of elements
   * @throws ArraywireException if there is no memory for the copy, or a codec fails to encode it:
   *     subscribers with other codecs may have got it
   * @throws InterruptedException if the caller is interrupted while it waits for room; subscribers
   *     that had room get the array
   */
  PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException;

  /**
   * Publishes an array without attributes; see {@link #publish(String, ArraySource,
   * ArrayAttributes)}.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param source what to send
   * @return what became of it
   * @throws ArraywireException if it cannot be published
   * @throws InterruptedException if the caller is interrupted while it waits for room
   */
  default PublishReceipt publish(String subject, ArraySource source)
      throws ArraywireException, InterruptedException {
    return publish(subject, source, ArrayAttributes.NONE);
  }

  /**
   * Publishes a message of one or more parts; see {@link #publish(String, ArraySource,
   * ArrayAttributes)}. A subscriber whose side cannot decode one of the parts does not get it.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param message what to send
   * @return what became of it
   * @throws ArraywireException if it cannot be published
   * @throws InterruptedException if the caller is interrupted while it waits for room
   */
  default PublishReceipt publish(String subject, Message message)
      throws ArraywireException, InterruptedException {
    ArrayAttributes attributes = message.toAttributes();
    return publish(subject, MessageSlices.of(message, attributes), attributes);
  }

  /**
   * How many subscriptions a subject has.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @return 0 or more
   */
  int subscribers(String subject);

  // float[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, float[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, float[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // int[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, int[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, int[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // double[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, double[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, double[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // long[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, long[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, long[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // short[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, short[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, short[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // char[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, char[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, char[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // byte[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, byte[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, byte[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // boolean[]

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, boolean[] array)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array));
  }

  /**
   * Publishes a whole array; see {@link #publish(String, ArraySource, ArrayAttributes)}.
   *
   * @param subject as there
   * @param array all of whose elements are sent
   * @param attributes as there
   * @return as there
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, boolean[] array, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySlice.of(array), attributes);
  }

  // Buffers of any type

  /**
   * Publishes the elements of a typed buffer; see {@link #publish(String, ArraySource)}.
   *
   * @param subject as there
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @return what became of it
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, Buffer buffer)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySource.of(buffer));
  }

  /**
   * Publishes the elements of a typed buffer; see {@link #publish(String, ArraySource,
   * ArrayAttributes)}.
   *
   * @param subject as there
   * @param buffer whose elements from position to limit are sent; see {@link
   *     ArraySource#of(Buffer)}
   * @param attributes as there
   * @return what became of it
   * @throws ArraywireException as there
   * @throws InterruptedException as there
   */
  default PublishReceipt publish(String subject, Buffer buffer, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    return publish(subject, ArraySource.of(buffer), attributes);
  }
}
