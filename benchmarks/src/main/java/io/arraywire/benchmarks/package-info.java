/**
 * JMH comparisons: what each codec costs without a socket, and what a large array does to a small
 * one beside it. What a transfer between two JVMs costs is in {@link
 * io.arraywire.benchmarks.bench}. {@code docs/benchmarks.md} says how to run them and how to read
 * them.
 */
@NullMarked
package io.arraywire.benchmarks;

import org.jspecify.annotations.NullMarked;
