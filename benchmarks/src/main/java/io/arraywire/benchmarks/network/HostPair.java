package io.arraywire.benchmarks.network;

/**
 * Two hosts whose JVMs are connected.
 *
 * @param receiver the one that receives
 * @param sender the one that sends
 */
record HostPair(NetworkHost receiver, NetworkHost sender) {}
