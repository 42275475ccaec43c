/** Programs of tests in JVMs of their own. */
@NullMarked
package io.arraywire.chaos.process;

import org.jspecify.annotations.NullMarked;
