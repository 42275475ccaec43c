/**
 * JMH comparisons: what each codec costs without a socket, and what a transfer between two JVMs
 * costs beside a raw socket that carries no array at all. {@code docs/benchmarks.md} says how to
 * run them and how to read them.
 */
@NullMarked
package io.arraywire.benchmarks;

import org.jspecify.annotations.NullMarked;
