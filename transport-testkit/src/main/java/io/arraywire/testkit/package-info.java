/**
 * Contracts that codecs and transports must hold, as JUnit classes to be extended, and what tests
 * of them need. {@link io.arraywire.testkit.CodecContract} checks a codec.
 */
package io.arraywire.testkit;
