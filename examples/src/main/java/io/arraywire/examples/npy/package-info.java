/**
 * Reads and writes {@code .npy} files, the format in which NumPy stores one array. It knows
 * versions 1 to 3, C order, and the numeric types that a primitive Java array can hold.
 *
 * <p>The format is described in NumPy's {@code numpy.lib.format} and in NEP 1.
 */
@NullMarked
package io.arraywire.examples.npy;

import org.jspecify.annotations.NullMarked;
