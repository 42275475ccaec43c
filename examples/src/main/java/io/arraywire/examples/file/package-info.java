/**
 * Files that are sent and received without going through the heap. To send one is five {@linkplain
 * io.arraywire.examples.file.SendTechnique techniques} as sources of elements, which any {@link
 * io.arraywire.Connection} sends. To receive one, of any size, is three {@linkplain
 * io.arraywire.examples.file.ReceiveTechnique techniques} as writers of a {@link
 * io.arraywire.source.ArraySink}, which the handlers of a {@link
 * io.arraywire.examples.file.FileReceiver} name.
 *
 * <p>The elements of a {@code .npy} file lie in it as the encodings {@code raw-le} and {@code
 * raw-be} have them, so nothing has to look at them.
 */
@NullMarked
package io.arraywire.examples.file;

import org.jspecify.annotations.NullMarked;
