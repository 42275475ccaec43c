/**
 * The handshake and what frames carry beside arrays, as {@code docs/protocol.md} defines them. Pure
 * functions; no sockets, no threads.
 */
package io.arraywire.wire;
