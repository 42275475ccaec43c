package io.arraywire.examples.npy;

import java.util.List;

/**
 * Where elements that come in Fortran order, the first index running fastest, go in C order, the
 * last index running fastest. One thread.
 */
final class FortranOrder {
  private final int[] shape;
  private final int[] strides;
  private final int[] index;
  private int at;

  /**
   * Begins with the first element.
   *
   * @param shape the dimensions, outermost first; their product is at most the length of an array
   */
  FortranOrder(List<Long> shape) {
    this.shape = shape.stream().mapToInt(Math::toIntExact).toArray();
    this.index = new int[shape.size()];
    this.strides = new int[shape.size()];
    int stride = 1;
    for (int i = shape.size() - 1; i >= 0; i--) {
      strides[i] = stride;
      stride *= this.shape[i];
    }
  }

  /** Whether the order makes a difference: with one dimension longer than 1 there is only one. */
  static boolean matters(List<Long> shape) {
    return !shape.contains(0L) && shape.stream().filter(each -> each > 1).count() > 1;
  }

  /** The place in C order of the next element. */
  int next() {
    int place = at;
    for (int i = 0; i < shape.length; i++) {
      at += strides[i];
      if (++index[i] < shape[i]) {
        break;
      }
      at -= strides[i] * shape[i];
      index[i] = 0;
    }
    return place;
  }
}
