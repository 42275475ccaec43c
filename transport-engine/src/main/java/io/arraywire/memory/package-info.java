/**
 * A transport without sockets, for tests: {@link io.arraywire.memory.InMemoryTransport} connects
 * within this JVM and cuts the stream into the {@link io.arraywire.memory.Portions} that a test
 * wants. {@link io.arraywire.memory.CopyingLayer} shows whether a transport leaves room for a layer
 * such as TLS.
 */
package io.arraywire.memory;
