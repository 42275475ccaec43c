package io.arraywire.client;

import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Delivery;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.TypedOutput;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a {@link ArraywireClient}, with one way to choose the address, and with or without
 * leave to repeat a request. {@link ArraywireClient#byKey} and {@link ArraywireClient#idempotent}
 * make others; they are small and may be made for each call. Immutable; any thread.
 *
 * <p>Each call takes a connection that is open, or waits for one until its deadline. That is the
 * timeout of its options, else {@link TransportOptions#requestTimeout()} for a request and {@link
 * TransportOptions#sendTimeout()} for a send. A send without a timeout waits {@code sendTimeout}
 * for each connection. Everything else is as {@link io.arraywire.ArrayOutput} says of a connection,
 * with these differences:
 *
 * <ul>
 *   <li>If a peer closes, calls that it did not take go to another connection. So does a {@link
 *       Delivery#PROCESSED} send that broke off before its last byte had left, because the far side
 *       delivers nothing of it. A call that the far side may have processed fails with the error of
 *       its connection, unless it is {@linkplain #idempotent() idempotent}. The error is {@link
 *       io.arraywire.DeliveryUnknownException} for a send and {@link
 *       io.arraywire.ConnectionLostException} for a request.
 *   <li>Without any connection until the deadline, a call fails with {@link
 *       io.arraywire.TimedOutException}, whose cause is the last failure to connect. If every
 *       address refuses this client for good, it fails at once with that failure. Once the client
 *       is closed it fails with {@link io.arraywire.ConnectionClosedException}.
 *   <li>Misuse that only a connection can find, such as an element type that was not agreed, fails
 *       the stage of {@code request} and {@code sendAsync}.
 *   <li>Order holds between arrays over one connection only.
 *   <li>Stages may also complete on a thread of the client.
 * </ul>
 */
public final class ClientOutput implements TypedOutput {
  private final Endpoints endpoints;
  private final TransportOptions options;
  private final AddressOrder order;
  private final RetryRule requests;

  ClientOutput(
      Endpoints endpoints, TransportOptions options, AddressOrder order, RetryRule requests) {
    this.endpoints = endpoints;
    this.options = options;
    this.order = order;
    this.requests = requests;
  }

  /**
   * The same calls, to the address that a key picks. Every client with the same addresses picks the
   * same one for a key. While that address cannot be had, calls go to the next one in the key's
   * order. While it is being connected to, a call waits for it, at most 250 ms.
   *
   * @param key any text, for example the name of a customer
   * @return other calls
   */
  public ClientOutput byKey(String key) {
    return new ClientOutput(
        endpoints, options, new KeyOrder(Objects.requireNonNull(key, "key")), requests);
  }

  /**
   * The same calls, for requests that may be answered twice without harm. If its connection breaks,
   * or an error ends it, a request is made again, within its deadline, over up to two further
   * connections.
   *
   * @return other calls
   */
  public ClientOutput idempotent() {
    return new ClientOutput(endpoints, options, order, RetryRule.IDEMPOTENT);
  }

  private CallLimits forSend(SendOptions given) {
    boolean known = given.delivery() != Delivery.HANDED_OFF;
    Duration time = given.timeout();
    return limits(
        known ? RetryRule.BROKEN_OFF : RetryRule.NOT_TAKEN,
        time == null ? options.sendTimeout() : time,
        time == null ? options.sendTimeout() : null,
        ErrorCode.SEND_TIMEOUT);
  }

  private CallLimits forRequest(RequestOptions given) {
    Duration time = given.timeout() == null ? options.requestTimeout() : given.timeout();
    return limits(requests, time, null, ErrorCode.REQUEST_TIMEOUT);
  }

  private CallLimits limits(
      RetryRule rule, Duration time, @Nullable Duration patience, ErrorCode late) {
    return new CallLimits(order, rule, Deadline.after(endpoints.runtime(), time), patience, late);
  }

  private static RequestOptions within(RequestOptions given, Duration left) {
    return given.timeout(left).attributes(RequestDeadline.in(given.attributes(), left));
  }

  @Override
  public Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    boolean limited = options.timeout() != null;
    return BlockingCall.run(
        endpoints,
        forSend(options),
        (connection, left) -> connection.send(source, limited ? options.timeout(left) : options));
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options) {
    if (options.timeout() != null) {
      throw new IllegalArgumentException(
          "only send takes a timeout; leave it out, or use orTimeout of the stage (timeout="
              + options.timeout()
              + ")");
    }
    return AsyncCall.begin(
        endpoints, forSend(options), (connection, left) -> connection.sendAsync(source, options));
  }

  /**
   * Takes a copy if a connection is open now and has room for it, and never waits.
   *
   * @return {@link OfferStatus#BACK_PRESSURED} also if no connection is open, in which case the
   *     client begins to connect; {@link OfferStatus#CLOSED} once the client is closed
   */
  @Override
  public OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    if (endpoints.isClosed()) {
      return OfferStatus.CLOSED;
    }
    ChosenConnection chosen = endpoints.pick(order);
    if (chosen == null) {
      return OfferStatus.BACK_PRESSURED;
    }
    try {
      OfferStatus status = chosen.connection().offer(source, options);
      return status == OfferStatus.CLOSED ? OfferStatus.BACK_PRESSURED : status;
    } finally {
      chosen.end(false);
    }
  }

  @Override
  public CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options) {
    return AsyncCall.begin(
        endpoints,
        forRequest(options),
        (connection, left) -> connection.request(source, within(options, left)));
  }

  @Override
  public ReceivedArray call(ArraySource source, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return BlockingCall.run(
        endpoints,
        forRequest(options),
        (connection, left) -> connection.call(source, within(options, left)));
  }
}
