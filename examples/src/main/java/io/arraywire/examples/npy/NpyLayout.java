package io.arraywire.examples.npy;

import java.util.Objects;

/**
 * Where the array of a {@code .npy} file lies.
 *
 * @param header type and shape
 * @param position where the first element lies
 */
public record NpyLayout(NpyHeader header, long position) {

  /** Checks its parts. */
  public NpyLayout {
    Objects.requireNonNull(header, "header");
  }
}
