/**
 * The protocol as a state machine without sockets, for authors of a transport.
 *
 * <p>A transport makes an {@link io.arraywire.engine.Engine}, and for each channel a {@link
 * io.arraywire.engine.Link} and a {@link io.arraywire.engine.EngineConnection}. It carries bytes
 * between the channel and the connection, and leaves handshake, frames, limits, queues, receipts
 * and orderly closing to the connection.
 */
package io.arraywire.engine;
