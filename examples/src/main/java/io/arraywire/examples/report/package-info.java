/** Words, figures and tables for people, and JSON for programs. */
@NullMarked
package io.arraywire.examples.report;

import org.jspecify.annotations.NullMarked;
