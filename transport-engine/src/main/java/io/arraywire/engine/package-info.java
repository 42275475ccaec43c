/**
 * The protocol as a state machine without sockets, for authors of a transport.
 *
 * <p>A transport extends {@link io.arraywire.engine.EngineTransport}. It connects and listens, and
 * makes an {@link io.arraywire.engine.Engine} and for each channel a {@link
 * io.arraywire.engine.Link}. It carries bytes between the channel and the {@link
 * io.arraywire.engine.WireEnd} of an {@link io.arraywire.engine.EngineConnection}. Handshake,
 * frames, limits, queues, receipts and orderly closing are behind that. The page "Write a
 * transport" of the documentation shows one over pipes.
 */
package io.arraywire.engine;
