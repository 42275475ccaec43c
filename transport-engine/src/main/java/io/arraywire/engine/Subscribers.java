package io.arraywire.engine;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.ConnectionClosedException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subscribers of a listener, over all its connections, by subject. Any thread. */
final class Subscribers {
  /** The lists are never changed. No other lock is taken while this one is held. */
  @GuardedBy("this")
  private final Map<String, List<Subscriber>> bySubject = new HashMap<>();

  @GuardedBy("this")
  private boolean closed;

  /** Adds a subscriber; returns false if the listener is closed. */
  synchronized boolean add(Subscriber subscriber) {
    if (closed) {
      return false;
    }
    List<Subscriber> more = new ArrayList<>(bySubject.getOrDefault(subscriber.subject, List.of()));
    more.add(subscriber);
    bySubject.put(subscriber.subject, List.copyOf(more));
    return true;
  }

  /** Removes a subscriber, if it is there. */
  synchronized void remove(Subscriber subscriber) {
    List<Subscriber> left = new ArrayList<>(bySubject.getOrDefault(subscriber.subject, List.of()));
    if (left.remove(subscriber)) {
      if (left.isEmpty()) {
        bySubject.remove(subscriber.subject);
      } else {
        bySubject.put(subscriber.subject, List.copyOf(left));
      }
    }
  }

  /** How many subscribers a subject has. */
  synchronized int count(String subject) {
    return bySubject.getOrDefault(subject, List.of()).size();
  }

  /**
   * The subscribers of a subject.
   *
   * @throws ConnectionClosedException if the listener is closed
   */
  synchronized List<Subscriber> of(String subject) throws ConnectionClosedException {
    if (closed) {
      throw new ConnectionClosedException("the listener is closed");
    }
    return bySubject.getOrDefault(subject, List.of());
  }

  /** Ends every subscription when what is queued for it is sent. Idempotent. */
  void close() {
    List<Subscriber> all = new ArrayList<>();
    synchronized (this) {
      closed = true;
      bySubject.values().forEach(all::addAll);
      bySubject.clear();
    }
    for (Subscriber each : all) {
      each.subscriptions.end(each, closedByListener(), false);
    }
  }

  /** What a subscriber is told when the listener is closed. */
  static ConnectionClosedException closedByListener() {
    return new ConnectionClosedException(
        "the listener that published to this subscription was closed");
  }
}
