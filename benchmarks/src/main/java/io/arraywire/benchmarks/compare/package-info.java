/** {@code arraywire bench compare}: what differs between two runs, and what of it is noise. */
@NullMarked
package io.arraywire.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
