/**
 * What a run of {@code arraywire bench} has measured: its statistics, and the file that keeps it.
 */
@NullMarked
package io.arraywire.benchmarks.result;

import org.jspecify.annotations.NullMarked;
