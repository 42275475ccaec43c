package io.arraywire;

import java.util.Objects;

/**
 * The receiving half of a {@link Connection}: takes arrays in the order in which they were sent.
 *
 * <p>Implementers write {@link #receive()}, {@link #receiveInto(ArraySlice)} and {@link
 * #receiveLeased()}; everything else is here. A connection that was given an {@link ArrayHandler}
 * hands its arrays to that, and these methods throw {@link IllegalStateException}.
 *
 * <p><b>Back-pressure.</b> What nobody asks for is kept up to {@link
 * TransportOptions#inboxBytes()}; then the sender has to wait.
 *
 * <p><b>Threads.</b> Any thread may receive; waiting receivers are served in the order in which
 * they came. <b>Errors.</b> A receive that fails loses nothing: an array that did not fit stays
 * first in line for the next receive. The array is acknowledged to its sender when the receive has
 * it.
 */
public interface ArrayInput {

  /**
   * Waits for the next array and returns it as a fresh array that belongs to the caller.
   *
   * <p>Memory is allocated as bytes arrive, never more than twice ahead of them unless the peer has
   * authenticated itself; so an array above 32 KiB is copied while it grows. {@link
   * #receiveInto(ArraySlice)} avoids that.
   *
   * @return the array
   * @throws ConnectionClosedException if no further array will come: the connection was closed
   *     here, or in an orderly way by the peer
   * @throws ArraywireException if the connection failed; the class says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  ReceivedArray receive() throws ArraywireException, InterruptedException;

  /**
   * Waits for the next array and puts it into the caller's own.
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
   * @throws InterruptedException if the caller is interrupted: the slice is the caller's again at
   *     once, and an array that had begun to arrive goes on into fresh memory, whole, for the next
   *     receive
   */
  ReceivedArray receiveInto(ArraySlice target) throws ArraywireException, InterruptedException;

  /**
   * Waits for the next array and puts it into the caller's own, as {@link #receiveInto(ArraySlice)}
   * does, and says what it was in an object of the caller's. With the same target and note for one
   * array after the other, a connection of this library allocates nothing for an array in the long
   * run.
   *
   * @param target where the elements go
   * @param note filled with what is to be said of the array
   * @throws TargetMismatchException if the array has another type or more elements than the slice;
   *     it stays first in line
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; the slice may then hold part of an array
   * @throws InterruptedException if the caller is interrupted, as above
   */
  default void receiveInto(ArraySlice target, ArrivalNote note)
      throws ArraywireException, InterruptedException {
    Objects.requireNonNull(note, "note");
    ReceivedArray received = receiveInto(target);
    ArrayHeader header = received.header();
    Receipt receipt = received.receipt();
    note.describe(
        header.type(), header.count(), header.sequence(), header.channel(), header.dropped());
    note.attribute(header.attributes().tag(), header.attributes());
    note.cost(receipt.wireBytes(), receipt.copiedBytes(), receipt.channelOperations());
  }

  /**
   * Waits for the next array and lends it out where it lies, in pooled memory, without a copy.
   *
   * <p>An array that came whole before anybody asked for it, or whose encoding does not hold plain
   * elements, is lent out of the memory that it was decoded into; of one that had begun to come,
   * that part is copied. The receipt tells what was copied.
   *
   * @return the lease, to be closed by the caller, who alone may use it
   * @throws ConnectionClosedException if no further array will come
   * @throws ArraywireException if the connection failed; the class says how
   * @throws InterruptedException if the caller is interrupted; no array is lost
   */
  LeasedArray receiveLeased() throws ArraywireException, InterruptedException;

  // The eight primitive types side by side; each is the same call on ArraySlice.

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(float[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(int[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(double[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(long[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(short[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(char[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(byte[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }

  /**
   * Puts the next array into the caller's own; see {@link #receiveInto(ArraySlice)}.
   *
   * @param array where the elements go
   * @param offset index of the first element
   * @param length the most elements that may be put there
   * @return the array received
   * @throws IndexOutOfBoundsException if the slice does not lie inside the array
   * @throws ArraywireException if no array can be received into the slice
   * @throws InterruptedException if the caller is interrupted
   */
  default ReceivedArray receiveInto(boolean[] array, int offset, int length)
      throws ArraywireException, InterruptedException {
    return receiveInto(ArraySlice.of(array, offset, length));
  }
}
