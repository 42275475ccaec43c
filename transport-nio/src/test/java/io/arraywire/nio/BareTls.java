package io.arraywire.nio;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

/** Two engines of a context with nothing between them but an array. For one thread. */
final class BareTls {
  /** As much as Arraywire seals for one write. */
  private static final int STAGING_BYTES = 256 << 10;

  private static final ByteBuffer[] NO_BYTES = {ByteBuffer.allocate(0)};
  private static final int ACKNOWLEDGEMENT_BYTES = 32;

  private final SSLEngine client;
  private final SSLEngine server;
  private final ByteBuffer staging = ByteBuffer.allocate(STAGING_BYTES);
  private final ByteBuffer[] opened = {ByteBuffer.allocate(STAGING_BYTES)};
  private final ByteBuffer[] acknowledgement = {ByteBuffer.allocate(ACKNOWLEDGEMENT_BYTES)};

  /** Makes the two, and their handshake. */
  BareTls(SSLContext context) throws SSLException {
    client = context.createSSLEngine("localhost", 4711);
    client.setUseClientMode(true);
    server = context.createSSLEngine();
    server.setUseClientMode(false);
    for (SSLEngine each : new SSLEngine[] {client, server}) {
      // As the library does.
      each.setEnabledCipherSuites(new String[] {"TLS_AES_128_GCM_SHA256"});
      each.beginHandshake();
    }
    ByteBuffer toServer = ByteBuffer.allocate(STAGING_BYTES);
    ByteBuffer toClient = ByteBuffer.allocate(STAGING_BYTES);
    while (isBusy(client) || isBusy(server) || toClient.position() > 0) {
      goOn(client, toClient, toServer);
      goOn(server, toServer, toClient);
    }
  }

  private static boolean isBusy(SSLEngine engine) {
    return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
  }

  private void goOn(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
    runTasks(engine);
    if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
      engine.wrap(NO_BYTES, 0, 1, out);
    } else {
      in.flip();
      engine.unwrap(in, opened, 0, 1);
      in.compact();
    }
  }

  private static void runTasks(SSLEngine engine) {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  /** Has the bytes of one buffer pass from one to the other, and an answer. */
  void pass(ByteBuffer[] bytes) throws SSLException {
    pass(client, server, bytes);
    pass(server, client, acknowledgement);
    acknowledgement[0].clear();
  }

  private void pass(SSLEngine from, SSLEngine to, ByteBuffer[] bytes) throws SSLException {
    while (bytes[0].hasRemaining()) {
      staging.clear();
      SSLEngineResult sealed;
      do {
        sealed = from.wrap(bytes, 0, 1, staging);
      } while (sealed.getStatus() == Status.OK && bytes[0].hasRemaining());
      staging.flip();
      opened[0].clear();
      while (staging.hasRemaining()) {
        SSLEngineResult result = to.unwrap(staging, opened, 0, 1);
        if (result.getStatus() != Status.OK) {
          throw new SSLException("a record was not opened: " + result);
        }
      }
    }
  }
}
