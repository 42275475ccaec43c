/**
 * The {@code arraywire} command: {@code demo}, {@code receive} and {@code send}.
 *
 * <p>Standard output carries results only, standard error one line for each thing that goes wrong.
 * Exit status: 0 done; 1 the command was understood and did not succeed; 2 the command line is
 * wrong; 130 ended with Ctrl-C.
 */
@NullMarked
package io.arraywire.examples.cli;

import org.jspecify.annotations.NullMarked;
