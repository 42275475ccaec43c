/** The {@code arraywire} command, and small programs to start from. */
@NullMarked
package io.arraywire.examples;

import org.jspecify.annotations.NullMarked;
