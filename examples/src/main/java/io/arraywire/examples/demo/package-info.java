/**
 * The main job, shown and measured. A real array goes from one JVM to another with every codec on
 * every transport, and is compared bit by bit.
 *
 * <p>{@link io.arraywire.examples.demo.Demo} runs in the parent. It starts a {@link
 * io.arraywire.examples.demo.ReceiverProcess} and a {@link
 * io.arraywire.examples.demo.SenderProcess}. It talks to both in lines of text over their standard
 * streams ({@link io.arraywire.examples.process.ChildJvm}, {@link
 * io.arraywire.examples.process.CommandLoop}). The arrays go directly from one to the other.
 */
@NullMarked
package io.arraywire.examples.demo;

import org.jspecify.annotations.NullMarked;
