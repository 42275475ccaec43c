/**
 * Where the two JVMs of a contender run: on this machine, or on two hosts of a network that is made
 * for it. The network is made out of containers or of network namespaces of Linux, and is fast,
 * slow or lossy as a profile says.
 */
@NullMarked
package io.arraywire.benchmarks.network;

import org.jspecify.annotations.NullMarked;
