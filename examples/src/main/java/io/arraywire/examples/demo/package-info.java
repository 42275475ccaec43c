/**
 * The main job, shown and measured: a real array goes from one JVM to another with every codec on
 * every transport, and is compared bit by bit.
 *
 * <p>{@link io.arraywire.examples.demo.Demo} runs in the parent. It starts a {@link
 * io.arraywire.examples.demo.ReceiverProcess} and a {@link
 * io.arraywire.examples.demo.SenderProcess}, which it talks to in lines of text over their standard
 * streams ({@link io.arraywire.examples.process.ChildJvm}, {@link
 * io.arraywire.examples.process.CommandLoop}); the arrays go directly from one to the other.
 */
@NullMarked
package io.arraywire.examples.demo;

import org.jspecify.annotations.NullMarked;
