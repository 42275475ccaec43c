package io.arraywire.examples.npy;

import java.util.List;

/**
 * The three values in the header of a {@code .npy} file, as they stand there.
 *
 * @param descr the type
 * @param fortranOrder whether the first dimension varies fastest
 * @param shape the dimensions
 */
record PythonHeader(String descr, boolean fortranOrder, List<Long> shape) {}
