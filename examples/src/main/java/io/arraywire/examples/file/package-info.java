/**
 * Files that are sent and received without going through the heap: the classic techniques to get a
 * file's bytes to a socket and a socket's bytes into a file, each a small class of its own, and the
 * ends of a framed connection that put them between the headers of Arraywire's wire.
 *
 * <p>The elements of a {@code .npy} file lie in it as the encodings {@code raw-le} and {@code
 * raw-be} have them, so nothing has to look at them. ADR 23 says why this does not go through
 * {@link io.arraywire.Connection}.
 */
@NullMarked
package io.arraywire.examples.file;

import org.jspecify.annotations.NullMarked;
