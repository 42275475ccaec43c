/**
 * The {@code arraywire} command, and small programs to start from: {@link
 * io.arraywire.examples.HelloArrays}, {@link io.arraywire.examples.ShortPrograms}, {@link
 * io.arraywire.examples.EchoService}, {@link io.arraywire.examples.SimilarityService}, {@link
 * io.arraywire.examples.WeightsFeed} and {@link io.arraywire.examples.LegacyPeer}.
 */
@NullMarked
package io.arraywire.examples;

import org.jspecify.annotations.NullMarked;
