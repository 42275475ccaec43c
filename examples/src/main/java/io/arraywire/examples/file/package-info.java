/**
 * Files that are sent and received without going through the heap. To send one is five {@linkplain
 * io.arraywire.examples.file.SendTechnique techniques} as sources of elements, which any {@link
 * io.arraywire.Connection} sends. To receive one, straight from a socket into a file of any size,
 * is the accepting end of a framed connection with three techniques of its own; ADR 23 says why.
 *
 * <p>The elements of a {@code .npy} file lie in it as the encodings {@code raw-le} and {@code
 * raw-be} have them, so nothing has to look at them.
 */
@NullMarked
package io.arraywire.examples.file;

import org.jspecify.annotations.NullMarked;
