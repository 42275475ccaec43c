/**
 * Contracts that codecs and transports must hold, as JUnit classes to be extended, and what tests
 * of them need. {@link io.arraywire.testkit.CodecContract} checks a codec, {@link
 * io.arraywire.testkit.TransportContract} a transport, {@link
 * io.arraywire.testkit.LocalTransportContract} one that no socket reaches.
 */
package io.arraywire.testkit;
