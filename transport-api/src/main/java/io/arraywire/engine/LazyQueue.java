package io.arraywire.engine;

import java.util.AbstractCollection;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A queue that has no memory of its own before it is used and after it was trimmed: a connection
 * has nine of them, and most connections are idle. Not for use by several threads at a time.
 */
final class LazyQueue<E> extends AbstractCollection<E> {
  private @Nullable ArrayDeque<E> elements;

  @Override
  public boolean add(E element) {
    return elements().add(element);
  }

  void addFirst(E element) {
    elements().addFirst(element);
  }

  private ArrayDeque<E> elements() {
    ArrayDeque<E> some = elements;
    if (some == null) {
      some = new ArrayDeque<>(1);
      elements = some;
    }
    return some;
  }

  /** Gives its memory back if there is nothing in it: its owner has been idle. */
  void trim() {
    if (isEmpty()) {
      elements = null;
    }
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
    elements = null;
  }

  @Override
  public Iterator<E> iterator() {
    return elements == null ? Collections.emptyIterator() : elements.iterator();
  }
}
