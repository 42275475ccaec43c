package io.arraywire.examples.npy;

import io.arraywire.ArraySlice;
import java.util.Objects;

/**
 * An array that was read from a {@code .npy} file.
 *
 * @param header type and shape as in the file
 * @param elements all elements, in C order, in a fresh array of their own
 */
public record NpyArray(NpyHeader header, ArraySlice elements) {

  /** Checks its parts. */
  public NpyArray {
    Objects.requireNonNull(header, "header");
    Objects.requireNonNull(elements, "elements");
  }
}
