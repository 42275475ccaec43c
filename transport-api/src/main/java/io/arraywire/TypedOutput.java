package io.arraywire;

/**
 * {@link ArrayOutput} for whole arrays of the eight primitive types, side by side.
 *
 * <p>One rule: every method that takes an {@link ArraySlice} also takes a whole array of each of
 * the eight types, and does the same with {@code ArraySlice.of(array)}. A part of an array is
 * {@code ArraySlice.of(array, offset, length)}. A test finds missing methods.
 */
public interface TypedOutput extends TypedSends, TypedRequests {

  // float[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(float[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(float[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // int[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(int[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(int[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // double[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(double[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(double[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // long[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(long[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(long[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // short[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(short[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(short[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // char[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(char[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(char[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // byte[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(byte[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(byte[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }

  // boolean[]

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice)}.
   *
   * @param array all of whose elements are sent
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(boolean[] array) throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array));
  }

  /**
   * Offers a whole array; see {@link ArrayOutput#offer(ArraySlice, SendOptions)}.
   *
   * @param array all of whose elements are sent
   * @param options as there
   * @return whether it was accepted
   * @throws ArrayTooLargeException as there
   * @throws NoRoomException as there
   */
  default OfferStatus offer(boolean[] array, SendOptions options)
      throws ArrayTooLargeException, NoRoomException {
    return offer(ArraySlice.of(array), options);
  }
}
