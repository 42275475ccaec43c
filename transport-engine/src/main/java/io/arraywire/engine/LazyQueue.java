package io.arraywire.engine;

import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A queue that costs nothing while it is empty: all empty queues are one object. A connection has
 * nine of them, and most connections are idle.
 *
 * <p>So a caller that adds or trims assigns what it returns: {@code queue = queue.plus(element)}.
 * Not for use by several threads at a time.
 */
final class LazyQueue<E> extends AbstractCollection<E> {
  private static final LazyQueue<?> NONE = new LazyQueue<>(null);

  /** Null in the one that all share, which stays empty. */
  private final @Nullable ArrayDeque<E> elements;

  private LazyQueue(@Nullable ArrayDeque<E> elements) {
    this.elements = elements;
  }

  /** The one without elements. */
  @SuppressWarnings("unchecked") // There is never an element in it.
  static <E> LazyQueue<E> empty() {
    return (LazyQueue<E>) NONE;
  }

  /** This one, or one in its place, with an element behind the others. */
  LazyQueue<E> plus(E element) {
    LazyQueue<E> some = elements == null ? new LazyQueue<>(new ArrayDeque<>(1)) : this;
    some.deque().add(element);
    return some;
  }

  /** This one, or one in its place, with an element before the others. */
  LazyQueue<E> plusFirst(E element) {
    LazyQueue<E> some = elements == null ? new LazyQueue<>(new ArrayDeque<>(1)) : this;
    some.deque().addFirst(element);
    return some;
  }

  private ArrayDeque<E> deque() {
    ArrayDeque<E> some = elements;
    if (some == null) {
      throw new IllegalStateException("the queue that all share stays empty");
    }
    return some;
  }

  /** What to go on with when the owner has been idle: without memory if nothing is in it. */
  LazyQueue<E> trimmed() {
    return isEmpty() ? empty() : this;
  }

  /** The first, or null if there is none. */
  @Nullable E peek() {
    ArrayDeque<E> some = elements;
    return some == null ? null : some.peek();
  }

  /** The last, or null if there is none. */
  @Nullable E peekLast() {
    ArrayDeque<E> some = elements;
    return some == null ? null : some.peekLast();
  }

  /** The first. */
  E element() {
    E first = peek();
    if (first == null) {
      throw new NoSuchElementException();
    }
    return first;
  }

  /** Removes the first. */
  E remove() {
    ArrayDeque<E> some = elements;
    if (some == null) {
      throw new NoSuchElementException();
    }
    return some.remove();
  }

  @Override
  public boolean remove(@Nullable Object element) {
    ArrayDeque<E> some = elements;
    return some != null && some.remove(element);
  }

  @Override
  public boolean contains(@Nullable Object element) {
    ArrayDeque<E> some = elements;
    return some != null && some.contains(element);
  }

  @Override
  public boolean isEmpty() {
    return elements == null || elements.isEmpty();
  }

  @Override
  public int size() {
    return elements == null ? 0 : elements.size();
  }

  @Override
  public void clear() {
    if (elements != null) {
      elements.clear();
    }
  }

  @Override
  public Iterator<E> iterator() {
    return elements == null ? Collections.emptyIterator() : elements.iterator();
  }
}
