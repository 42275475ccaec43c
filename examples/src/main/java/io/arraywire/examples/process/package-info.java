/**
 * A parent process and its child JVMs, which it talks to in lines of text over their standard
 * streams.
 */
@NullMarked
package io.arraywire.examples.process;

import org.jspecify.annotations.NullMarked;
