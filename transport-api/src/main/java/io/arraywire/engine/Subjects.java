package io.arraywire.engine;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraySlice;
import io.arraywire.ArraywireException;
import io.arraywire.ConnectionClosedException;
import io.arraywire.PublishReceipt;
import io.arraywire.wire.ArrayEnvelope;
import io.arraywire.wire.AttributesBody;
import io.arraywire.wire.SubscribeBody;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who subscribes to what over the connections of one listener. A listener has one, gives it to each
 * of its connections with {@link ProtocolConnection#publishes} before their start, and closes it
 * when it closes. Any thread.
 */
public final class Subjects {
  private final EngineContext context;

  /** The lists are never changed. Guarded by this, which is taken with no other lock after it. */
  private final Map<String, List<Subscriber>> subscribers = new HashMap<>();

  private boolean closed;

  /**
   * Makes an empty one.
   *
   * @param engine of the listener's transport
   */
  public Subjects(Engine engine) {
    context = engine.context();
  }

  /**
   * What {@link io.arraywire.Listener#publish} does.
   *
   * @param subject what to publish on
   * @param slice what to send
   * @param attributes what goes with it
   * @return what became of it
   * @throws ArraywireException if it cannot be published
   * @throws InterruptedException if the caller is interrupted while it waits for room
   */
  public PublishReceipt publish(String subject, ArraySlice slice, ArrayAttributes attributes)
      throws ArraywireException, InterruptedException {
    List<Subscriber> all;
    SubscribeBody.checked(subject);
    if (!attributes.shapeHolds(slice.length())) {
      throw new IllegalArgumentException(
          "the shape does not hold as many elements as there are ("
              + attributes
              + ", length="
              + slice.length()
              + ")");
    }
    // What does not fit is the caller's to change, before anybody has the array.
    byte[] unused = AttributesBody.write(ArrayEnvelope.publication(attributes, Long.MAX_VALUE));
    synchronized (this) {
      if (closed) {
        throw new ConnectionClosedException("the listener is closed");
      }
      all = subscribers.getOrDefault(subject, List.of());
    }
    try (Publication publication = new Publication(context, slice, attributes)) {
      for (Subscriber each : all) {
        publication.offer(each);
      }
      publication.awaitRoom();
      return publication.receipt();
    }
  }

  /**
   * How many subscriptions a subject has.
   *
   * @param subject the subject
   * @return 0 or more
   */
  public int subscribers(String subject) {
    SubscribeBody.checked(subject);
    synchronized (this) {
      return subscribers.getOrDefault(subject, List.of()).size();
    }
  }

  /** Ends every subscription when what is queued for it is sent. Idempotent. */
  public void close() {
    List<Subscriber> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      subscribers.values().forEach(all::addAll);
      subscribers.clear();
    }
    for (Subscriber each : all) {
      each.subscriptions.end(each, listenerClosed(), false);
    }
  }

  static ConnectionClosedException listenerClosed() {
    return new ConnectionClosedException("the listener whose arrays were subscribed to was closed");
  }

  /** Returns false if the listener is closed. */
  synchronized boolean add(Subscriber subscriber) {
    if (closed) {
      return false;
    }
    List<Subscriber> more =
        new ArrayList<>(subscribers.getOrDefault(subscriber.subject, List.of()));
    more.add(subscriber);
    subscribers.put(subscriber.subject, List.copyOf(more));
    return true;
  }

  synchronized void remove(Subscriber subscriber) {
    List<Subscriber> left =
        new ArrayList<>(subscribers.getOrDefault(subscriber.subject, List.of()));
    if (left.remove(subscriber)) {
      if (left.isEmpty()) {
        subscribers.remove(subscriber.subject);
      } else {
        subscribers.put(subscriber.subject, List.copyOf(left));
      }
    }
  }
}
