package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.PublishReceipt;
import io.arraywire.SendOptions;
import io.arraywire.source.ArraySource;
import io.arraywire.wire.SubscribeBody;

/**
 * The subscriptions to the subjects of one listener, over all its connections. A listener has one,
 * {@linkplain #publishOver gives it} to each of its connections before their start, and closes it
 * when it closes. Any thread.
 */
public final class Subjects {
  private final EngineContext context;

  private final Subscribers subscribers = new Subscribers();

  /**
   * Makes an empty one.
   *
   * @param engine of the listener's transport
   */
  public Subjects(Engine engine) {
    context = engine.context();
  }

  /**
   * What {@link io.arraywire.Listener#publish(String, ArraySource, ArrayAttributes)} does.
   *
   * @param subject what to publish on
   * @param source what to send
   * @param attributes what goes with it
   * @return what became of it
   * @throws ArraywireException if it cannot be published
   * @throws InterruptedException if the caller is interrupted while it waits for room
   */
  public PublishReceipt publish(String subject, ArraySource source, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    SendOptions options = Publication.checked(context, subject, source, attributes);
    return Publication.publish(context, subscribers.of(subject), source, options);
  }

  /**
   * How many subscriptions a subject has.
   *
   * @param subject the subject
   * @return 0 or more
   */
  public int subscribers(String subject) {
    SubscribeBody.checked(subject);
    return subscribers.count(subject);
  }

  /** Ends every subscription once the arrays queued for it are sent. Idempotent. */
  public void close() {
    subscribers.close();
  }

  /**
   * Has the peer of a connection subscribe to what the listener publishes.
   *
   * @param connection a connection that is not started yet
   */
  public void publishOver(EngineConnection connection) {
    connection.publishes(subscribers);
  }

  /** The subscribers of the listener. */
  Subscribers subscribers() {
    return subscribers;
  }
}
