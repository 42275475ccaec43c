/**
 * A fault proxy for TCP: stands between two ends on the loopback and cuts, resets, stalls, slows
 * and damages what passes. Begin at {@link io.arraywire.chaos.proxy.FaultProxy}.
 */
@NullMarked
package io.arraywire.chaos.proxy;

import org.jspecify.annotations.NullMarked;
