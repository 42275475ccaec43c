/**
 * The bytes on the wire as {@code docs/protocol.md} defines them: layouts, headers and the
 * handshake. Pure functions; no sockets, no threads.
 */
package io.arraywire.wire;
