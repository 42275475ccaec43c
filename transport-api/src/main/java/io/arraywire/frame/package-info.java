/**
 * Frames and their headers as {@code docs/protocol.md} defines them. A message outside of a
 * connection is one frame, too. Pure functions, for tests and tools that read or write frames
 * themselves.
 */
package io.arraywire.frame;
