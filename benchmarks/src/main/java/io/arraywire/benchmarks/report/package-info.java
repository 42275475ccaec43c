/** {@code arraywire bench report}: tables and charts of what was measured, as one page of HTML. */
@NullMarked
package io.arraywire.benchmarks.report;

import org.jspecify.annotations.NullMarked;
