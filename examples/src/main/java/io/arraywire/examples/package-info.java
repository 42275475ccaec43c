/**
 * Programs to read and to start from, each of which needs the library only: {@link
 * io.arraywire.examples.HelloArrays}, {@link io.arraywire.examples.ShortPrograms}, {@link
 * io.arraywire.examples.EchoService} and others, which {@code examples/README.md} lists. The
 * packages below are the {@code arraywire} command.
 */
@NullMarked
package io.arraywire.examples;

import org.jspecify.annotations.NullMarked;
