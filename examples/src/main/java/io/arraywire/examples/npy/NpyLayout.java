package io.arraywire.examples.npy;

import java.util.Objects;

/**
 * Where the array of a {@code .npy} file lies.
 *
 * @param header type and shape
 * @param position where the first element lies
 * @param fortranOrder whether the first index runs fastest. Such elements must change places before
 *     they can be sent with the shape of the header
 */
public record NpyLayout(NpyHeader header, long position, boolean fortranOrder) {

  /** Checks its parts. */
  public NpyLayout {
    Objects.requireNonNull(header, "header");
  }
}
