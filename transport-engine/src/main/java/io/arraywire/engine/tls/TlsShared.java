package io.arraywire.engine.tls;

import io.arraywire.TransportOptions;
import io.arraywire.engine.Deadlines;
import io.arraywire.spi.MemoryKind;
import io.arraywire.spi.MemoryPool;
import java.util.concurrent.Executor;

/**
 * What all connections of a transport share. Immutable; any thread.
 *
 * @param options the user's
 * @param pool where staging memory comes from
 * @param plaintext which kind of memory the layer above wants the decrypted bytes in
 * @param deadlines the clock
 * @param tasks where the engines' tasks run
 */
record TlsShared(
    TransportOptions options,
    MemoryPool pool,
    MemoryKind plaintext,
    Deadlines deadlines,
    Executor tasks) {}
