package io.arraywire.wire;

import io.arraywire.ArrayAttributes;
import io.arraywire.RemoteErrorException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What travels with an array beside its elements: the sender's attributes, and what the protocol
 * adds to them.
 *
 * @param attributes tag, shape and metadata
 * @param sessionSequence its number among all arrays of its channel and session, from 1 on; 0 if it
 *     is sent outside of a session
 * @param request the number of the request that it is, 0 if it is none
 * @param reply the number of the request that it answers, 0 if it answers none
 * @param fault with a reply: why the request was not answered by an array
 * @param publication its number among all that were published for its subscriber, those included
 *     that were dropped, from 1 on; 0 if it was not published
 */
public record ArrayEnvelope(
    ArrayAttributes attributes,
    long sessionSequence,
    long request,
    long reply,
    @Nullable RemoteErrorException fault,
    long publication) {
  /** Nothing at all. */
  public static final ArrayEnvelope NONE =
      new ArrayEnvelope(ArrayAttributes.NONE, 0, 0, 0, null, 0);

  /** Checks its parts. */
  public ArrayEnvelope {
    Objects.requireNonNull(attributes, "attributes");
  }

  /**
   * An envelope of no subscription.
   *
   * @param attributes tag, shape and metadata
   * @param sessionSequence its number in a session, or 0
   * @param request the number of the request that it is, or 0
   * @param reply the number of the request that it answers, or 0
   * @param fault with a reply: why the request was not answered by an array
   */
  public ArrayEnvelope(
      ArrayAttributes attributes,
      long sessionSequence,
      long request,
      long reply,
      @Nullable RemoteErrorException fault) {
    this(attributes, sessionSequence, request, reply, fault, 0);
  }

  /**
   * An envelope to which the protocol adds nothing.
   *
   * @param attributes the sender's attributes
   * @return the envelope
   */
  public static ArrayEnvelope of(ArrayAttributes attributes) {
    return attributes.tag() == 0 && !attributes.hasBody()
        ? NONE
        : new ArrayEnvelope(attributes, 0, 0, 0, null, 0);
  }

  /**
   * The envelope of a request.
   *
   * @param attributes the sender's attributes
   * @param number the request's, from 1 on
   * @return the envelope
   */
  public static ArrayEnvelope request(ArrayAttributes attributes, long number) {
    return new ArrayEnvelope(attributes, 0, number, 0, null, 0);
  }

  /**
   * The envelope of a reply.
   *
   * @param attributes the sender's attributes
   * @param number that of the request
   * @param fault why there is no better reply, or null
   * @return the envelope
   */
  public static ArrayEnvelope reply(
      ArrayAttributes attributes, long number, @Nullable RemoteErrorException fault) {
    return new ArrayEnvelope(attributes, 0, 0, number, fault, 0);
  }

  /**
   * The envelope of an array of a subscription.
   *
   * @param attributes the publisher's attributes
   * @param number its number for this subscriber, from 1 on
   * @return the envelope
   */
  public static ArrayEnvelope publication(ArrayAttributes attributes, long number) {
    return new ArrayEnvelope(attributes, 0, 0, 0, null, number);
  }

  /**
   * The same with other attributes.
   *
   * @param other what takes their place
   * @return a new envelope
   */
  public ArrayEnvelope with(ArrayAttributes other) {
    return new ArrayEnvelope(other, sessionSequence, request, reply, fault, publication);
  }

  /**
   * The same with a place in a session.
   *
   * @param sequence from 1 on
   * @return a new envelope
   */
  public ArrayEnvelope inSession(long sequence) {
    return new ArrayEnvelope(attributes, sequence, request, reply, fault, publication);
  }
}
