/**
 * {@code arraywire bench}: contenders that move a {@code float[]} from one JVM's heap into a {@code
 * float[]} of another, measured in interleaved rounds.
 *
 * <p>A {@link io.arraywire.benchmarks.bench.Contender} is one way to do it. Each has a sender JVM
 * ({@link io.arraywire.benchmarks.bench.SenderProcess}) and a receiver JVM ({@link
 * io.arraywire.benchmarks.bench.ReceiverProcess}) of its own, which {@link
 * io.arraywire.benchmarks.bench.Rounds} lets work in turn; {@link
 * io.arraywire.benchmarks.bench.BenchResult} makes figures of what they tell.
 *
 * <p>With {@code --connections} a {@link io.arraywire.benchmarks.bench.ConnectionsContender} takes
 * its place, whose two JVMs have many connections that work at the same time.
 */
@NullMarked
package io.arraywire.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
