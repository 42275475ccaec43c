package io.arraywire;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a {@link Connection}: takes arrays in the order in which they were sent.
 * {@link TypedInput} has the same methods for whole arrays.
 *
 * <p>Implementers write the three methods that take a {@link Duration}; everything else is here. A
 * connection that was given an {@link ArrayHandler} hands its arrays to that, and these methods
 * throw {@link IllegalStateException}.
 *
 * <p><b>Nothing came.</b> A method with a timeout returns null, or false where it would return
 * true, if no array has come in time. The end is an exception: {@link ConnectionClosedException} if
 * no further array will come. Without a timeout a method waits for as long as the connection lives.
 *
 * <p><b>Back-pressure.</b> Arrays that no call receives wait here, up to {@link
 * TransportOptions#inboxBytes()}; then the sender waits. A waiting receive call makes room for the
 * next array, however large. So does {@link #poll()}, which may have to be called again until a
 * large array is complete.
 *
 * <p><b>Threads.</b> Any thread may receive. If several wait at the same time, each array goes to
 * exactly one of them, to the one that has waited longest. A receiver that times out or is
 * interrupted leaves the line to the next. What two threads then do with their arrays has no order:
 * receive with one thread, or with a handler, if the order matters.
 *
 * <p><b>Errors.</b> A receive that fails loses nothing: an array that did not fit stays first in
 * line for the next receive. The sender gets its acknowledgement once the receive call has the
 * array.
 */
public interface ArrayInput {

  /**
   * Waits for the next array and returns it as a fresh array that belongs to the caller.
   *
   * <p>Memory is allocated as bytes arrive, never more than twice ahead of them unless the peer has
   * authenticated itself. So an array above 32 KiB is copied while it grows. {@link
   * #receiveInto(ArraySlice)} avoids that.
   *
   * @return the array
   * @throws ConnectionClosedException if no further array will come: the connection was closed
   *     here, or in an orderly way by the peer
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  default ReceivedArray receive() throws ArraywireException, InterruptedException {
    while (true) {
      ReceivedArray received = receive(Forever.TIMEOUT);
      if (received != null) {
        return received;
      }
    }
  }

  /**
   * Waits for the next array, but no longer than a timeout; otherwise as {@link #receive()}.
   *
   * <p>An array that has begun to arrive when the time is over goes on arriving, for the next
   * receive.
   *
   * @param timeout how long to wait; zero or less takes what is there without waiting
   * @return the array, or null if none has come whole in time
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  @Nullable ReceivedArray receive(Duration timeout) throws ArraywireException, InterruptedException;

  /**
   * Takes the next array if it is there, and never waits for one: {@link #receive(Duration)} with
   * {@link Duration#ZERO}.
   *
   * @return the array, or null if none has come whole
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  default @Nullable ReceivedArray poll() throws ArraywireException, InterruptedException {
    return receive(Duration.ZERO);
  }

  /**
   * Waits for the next array and puts its elements into the caller's array.
   *
   * <p>The slice belongs to Arraywire until the method returns or throws. It is filled from its
   * offset; an array shorter than the slice leaves the rest as it was.
   *
   * @param target where the elements go
   * @return the array received: {@link ReceivedArray#count()} elements from the slice's offset
   * @throws TargetMismatchException if the array has another type or more elements than the slice;
   *     it stays first in line
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; the slice may then hold part of an array
   * @throws InterruptedException if the caller is interrupted. The slice is the caller's again at
   *     once. An array that had begun to arrive goes on into fresh memory, whole, for the next
   *     receive
   */
  default ReceivedArray receiveInto(ArraySlice target)
      throws ArraywireException, InterruptedException {
    ArrayInfo info = new ArrayInfo();
    receiveInto(target, info);
    return info.received(target);
  }

  /**
   * Waits for the next array and puts its elements into the caller's array, as {@link
   * #receiveInto(ArraySlice)} does, and describes it in the caller's {@link ArrayInfo}. With the
   * same target and the same info for one array after the other, a connection of this library
   * allocates nothing per array.
   *
   * @param target where the elements go
   * @param info filled with the description of the array
   * @throws TargetMismatchException if the array has another type or more elements than the slice;
   *     it stays first in line
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; the slice may then hold part of an array
   * @throws InterruptedException if the caller is interrupted, as above
   */
  default void receiveInto(ArraySlice target, ArrayInfo info)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(info, "info");
    while (!receiveInto(target, info, Forever.TIMEOUT)) {
      // Centuries have passed.
    }
  }

  /**
   * Waits for the next array, but no longer than a timeout, and puts its elements into the caller's
   * array; otherwise as {@link #receiveInto(ArraySlice, ArrayInfo)}. Allocates nothing if nothing
   * comes, either.
   *
   * @param target where the elements go; the caller's again when the method returns. If an array
   *     had begun to arrive there when the time was over, the slice holds a part of it. The array
   *     goes on into fresh memory, whole, for the next receive
   * @param info filled with the description of the array; of no use if none came
   * @param timeout how long to wait; zero or less takes what is there without waiting
   * @return true if an array was received, false if none has come whole in time
   * @throws TargetMismatchException if the array has another type or more elements than the slice;
   *     it stays first in line
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; the slice may then hold part of an array
   * @throws InterruptedException if the caller is interrupted, as above
   */
  boolean receiveInto(ArraySlice target, ArrayInfo info, Duration timeout)
      throws ArraywireException, InterruptedException;

  /**
   * Waits for the next array and lends it out where it lies, in pooled memory, without a copy.
   *
   * <p>The lease is of decoded memory if the array was complete before this call, or if its
   * encoding does not hold plain elements. If part of the array had arrived before, that part is
   * copied. The receipt counts copied bytes.
   *
   * @return the lease, to be closed by the caller, who alone may use it
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  default LeasedArray receiveLeased() throws ArraywireException, InterruptedException {
    while (true) {
      LeasedArray leased = receiveLeased(Forever.TIMEOUT);
      if (leased != null) {
        return leased;
      }
    }
  }

  /**
   * Waits for the next array, but no longer than a timeout; otherwise as {@link #receiveLeased()}.
   *
   * @param timeout how long to wait; zero or less takes what is there without waiting
   * @return the lease, to be closed by the caller, or null if no array has come whole in time
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  @Nullable LeasedArray receiveLeased(Duration timeout)
      throws ArraywireException, InterruptedException;

  /**
   * Takes every array that comes, one after the other in the calling thread. It returns after an
   * orderly end: the peer said goodbye, or the connection was closed here. An action that throws
   * ends it, too; the array that it was called with counts as received.
   *
   * @param action what to do with each array, which belongs to it
   * @param <X> what the action throws
   * @throws X what the action threw
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  default <X extends Exception> void receiveEach(ArrayAction<ReceivedArray, X> action)
      throws X, ArraywireException, InterruptedException {
    Objects.requireNonNull(action, "action");
    while (true) {
      ReceivedArray received;
      try {
        received = receive();
      } catch (ConnectionClosedException end) {
        return;
      }
      action.accept(received);
    }
  }

  /**
   * Puts every array that comes into the same memory, one after the other in the calling thread,
   * and allocates nothing for each. Ends as {@link #receiveEach(ArrayAction)} does.
   *
   * @param target where the elements go; it belongs to Arraywire except while the action runs
   * @param action what to do with each array, given its description
   * @param <X> what the action throws
   * @throws X what the action threw
   * @throws TargetMismatchException if an array has another type or more elements than the slice;
   *     it stays first in line
   * @throws ArraywireException if the connection failed; its code says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  default <X extends Exception> void receiveEachInto(
      ArraySlice target, ArrayAction<ArrayInfo, X> action)
      throws X, ArraywireException, InterruptedException {
    Objects.requireNonNull(action, "action");
    ArrayInfo info = new ArrayInfo();
    while (true) {
      try {
        receiveInto(target, info);
      } catch (ConnectionClosedException end) {
        return;
      }
      action.accept(info);
    }
  }
}
