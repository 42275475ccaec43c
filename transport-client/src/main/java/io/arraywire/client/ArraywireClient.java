package io.arraywire.client;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayPublisher;
import io.arraywire.ArrayTooLargeException;
import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.ErrorCode;
import io.arraywire.NoRoomException;
import io.arraywire.OfferStatus;
import io.arraywire.PublishReceipt;
import io.arraywire.Receipt;
import io.arraywire.ReceivedArray;
import io.arraywire.RequestOptions;
import io.arraywire.SendOptions;
import io.arraywire.SubscribeOptions;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.TypedOutput;
import io.arraywire.source.ArraySource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A client of a service: sends, asks and subscribes over connections to one or several addresses,
 * which it makes, keeps and makes again. A service keeps it for as long as it runs.
 *
 * <pre>{@code
 * try (ArraywireClient client =
 *     ArraywireClient.over(transport, "a:4711", "b:4711").choice(LEAST_LOADED).build()) {
 *   float[] scores = client.call(query, Duration.ofMillis(200)).floats();
 * }
 * }</pre>
 *
 * <p>Calls are those of {@link ClientOutput}, which says what happens to them when a server ends.
 * When a connection is lost, or its server says goodbye, the client connects again by itself, after
 * pauses that {@link ClientBuilder#probePause} and {@link ClientBuilder#longestPause} limit. A
 * server that says goodbye gets no further calls from that moment on.
 *
 * <p><b>Threads.</b> Any thread may call any method. A client has no threads of its own. All
 * clients of the process share one timer and the threads that connect at this moment, which are
 * daemons. <b>Memory.</b> As for {@link io.arraywire.ArrayOutput}. <b>Failure.</b> A client does
 * not fail; a call does.
 */
public final class ArraywireClient implements TypedOutput, ArrayPublisher, AutoCloseable {
  private final Endpoints endpoints;
  private final TransportOptions options;
  private final AddressOrder order;
  private final BackOff backOff;
  private final ClientOutput calls;
  private final Set<ClientSubscription> subscriptions = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> drained = new CompletableFuture<>();

  ArraywireClient(
      Endpoints endpoints, TransportOptions options, AddressOrder order, BackOff backOff) {
    this.endpoints = endpoints;
    this.options = options;
    this.order = order;
    this.backOff = backOff;
    calls = new ClientOutput(endpoints, options, order, RetryRule.NOT_TAKEN);
  }

  /**
   * Begins to make a client.
   *
   * @param transport makes its connections, with its options; stays the caller's
   * @param addresses as {@link ClientBuilder#address(String)} takes them, the preferred one first
   * @return a builder
   * @throws IllegalArgumentException if one is no address, or there twice
   */
  public static ClientBuilder over(Transport transport, String... addresses) {
    ClientBuilder builder = new ClientBuilder(transport);
    for (String address : addresses) {
      builder.address(address);
    }
    return builder;
  }

  /**
   * Calls to the address that a key picks; see {@link ClientOutput#byKey}.
   *
   * @param key any text, for example the name of a customer
   * @return the calls
   */
  public ClientOutput byKey(String key) {
    return calls.byKey(key);
  }

  /**
   * Calls whose requests may be answered twice without harm; see {@link ClientOutput#idempotent}.
   *
   * @return the calls
   */
  public ClientOutput idempotent() {
    return calls.idempotent();
  }

  @Override
  public Receipt send(ArraySource source, SendOptions options)
      throws ArraywireException, InterruptedException {
    return calls.send(source, options);
  }

  @Override
  public CompletionStage<Receipt> sendAsync(ArraySource source, SendOptions options) {
    return calls.sendAsync(source, options);
  }

  @Override
  public OfferStatus offer(ArraySource source, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return calls.offer(source, options);
  }

  @Override
  public CompletableFuture<ReceivedArray> request(ArraySource source, RequestOptions options) {
    return calls.request(source, options);
  }

  @Override
  public ReceivedArray call(ArraySource source, RequestOptions options)
      throws ArraywireException, InterruptedException {
    return calls.call(source, options);
  }

  /**
   * Subscribes to what one of the servers publishes, and subscribes again whenever the connection
   * ends, until the subscription is closed; {@link PublicationHandler#onGap} says so. Everything
   * that is published after this returns arrives, until the first gap.
   *
   * @param subject 1 to 255 bytes of UTF-8 without control characters
   * @param options what happens when this side lags
   * @param handler takes the arrays
   * @return the subscription; it ends with the client
   * @throws io.arraywire.RemoteRejectedException if the server refuses it
   * @throws io.arraywire.TimedOutException if there is no connection within {@link
   *     TransportOptions#requestTimeout()}, or no answer over one
   * @throws ArraywireException if it fails otherwise
   * @throws InterruptedException if the caller is interrupted; then there is no subscription
   */
  public ClientSubscription subscribe(
      String subject, SubscribeOptions options, PublicationHandler handler)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(handler, "handler");
    ClientSubscription[] self = new ClientSubscription[1];
    ClientSubscription made =
        new ClientSubscription(
            subject,
            options,
            handler,
            endpoints,
            order,
            this.options.requestTimeout(),
            backOff,
            () -> subscriptions.remove(self[0]));
    self[0] = made;
    subscriptions.add(made);
    boolean begun = false;
    try {
      made.begin();
      begun = true;
    } finally {
      if (!begun) {
        subscriptions.remove(made);
      }
    }
    if (endpoints.isClosed()) {
      // The thread that closes the client may not have found its connection.
      made.close();
    }
    return made;
  }

  /**
   * Publishes to each peer that subscribes over a connection of this client, which means to
   * servers. Connects to addresses that it has no connection to, for the next time. Otherwise as
   * {@link Connection#publish}.
   *
   * @return the sum over all connections
   */
  @Override
  public PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    endpoints.checkOpen();
    PublishReceipt sum = new PublishReceipt(0, 0, 0, 0, 0, 0);
    for (Endpoint endpoint : endpoints.all()) {
      if (endpoint.available() == null) {
        endpoint.want();
      }
      for (Connection connection : endpoint.connections()) {
        try {
          sum = plus(sum, connection.publish(subject, source, attributes));
        } catch (ArraywireException e) {
          // The subscriptions of a connection have ended with it.
          if (connection.isOpen()) {
            throw e;
          }
        }
      }
    }
    return sum;
  }

  private static PublishReceipt plus(PublishReceipt a, PublishReceipt b) {
    return new PublishReceipt(
        a.subscribers() + b.subscribers(),
        a.queued() + b.queued(),
        a.dropped() + b.dropped(),
        a.timedOut() + b.timedOut(),
        a.disconnected() + b.disconnected(),
        a.encodings() + b.encodings());
  }

  @Override
  public int subscribers(String subject) {
    return endpoints.all().stream()
        .flatMap(endpoint -> endpoint.connections().stream())
        .mapToInt(connection -> connection.subscribers(subject))
        .sum();
  }

  /**
   * Health and readiness, for a probe: {@link ClientStatus#ready()} says whether a call would find
   * a connection now. Makes no connection; see {@link #awaitReady}.
   *
   * @return the client at this moment
   */
  public ClientStatus status() {
    List<AddressStatus> addresses = endpoints.all().stream().map(Endpoint::status).toList();
    return ClientStatus.of(addresses, endpoints.isClosed());
  }

  /**
   * Connects, if nothing is connected, and waits for a connection.
   *
   * @param timeout how long to wait
   * @throws io.arraywire.TimedOutException if there is none in time; the cause is why
   * @throws ArraywireException if every address refuses this client for good, or it is closed
   * @throws InterruptedException if the caller is interrupted
   */
  public void awaitReady(Duration timeout) throws ArraywireException, InterruptedException {
    endpoints.checkOpen();
    long deadline = Deadline.after(endpoints.runtime(), timeout);
    endpoints.await(order, deadline, ErrorCode.REQUEST_TIMEOUT, false).end(false);
  }

  /**
   * Ends the client in an orderly way. It refuses new calls, fails those that wait for a
   * connection, ends subscriptions, and closes every connection as {@link Connection#close} does,
   * all at the same time. What is in flight is finished within {@link
   * TransportOptions#closeTimeout()}, then the servers hear a goodbye. The transport stays open.
   * Idempotent; a second caller waits, too.
   *
   * <p>A caller that is interrupted stops waiting, and its thread stays interrupted: this returns
   * then, and the connections close without it. Do not call this in the client's own handlers.
   *
   * @throws ArraywireException if a connection could not be drained; all are closed all the same
   */
  @Override
  public void close() throws ArraywireException {
    if (endpoints.close()) {
      subscriptions.forEach(ClientSubscription::close);
      ClientDrain.begin(endpoints, drained);
    }
    ClientDrain.await(drained);
  }

  @Override
  public String toString() {
    return "client of " + endpoints.names();
  }
}
