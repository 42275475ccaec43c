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
 * its place, whose two JVMs have many connections that work at the same time. With {@code
 * --requests}, {@code --rate} and {@code --slow-answers} it is an {@link
 * io.arraywire.benchmarks.bench.AnswersContender}: one JVM makes requests, the other answers.
 */
@NullMarked
package io.arraywire.benchmarks.bench;

import org.jspecify.annotations.NullMarked;
