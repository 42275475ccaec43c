/**
 * A fault proxy for TCP: stands between two ends on the loopback and cuts, resets, stalls, slows
 * and damages what passes. Begin at {@link io.arraywire.testkit.proxy.FaultProxy}.
 */
package io.arraywire.testkit.proxy;
