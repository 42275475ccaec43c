package io.arraywire.benchmarks.bench;

import io.arraywire.spi.TlsEngines;
import io.netty.buffer.ByteBufAllocator;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/** Engines of BoringSSL for this library, the same that {@code netty-tls-openssl} has. */
final class OpenSslEngines implements TlsEngines {
  @Override
  public SSLEngine client(String peerName, int port) throws SSLException {
    return NettyTls.openSsl(true).newEngine(ByteBufAllocator.DEFAULT, peerName, port);
  }

  @Override
  public SSLEngine server() throws SSLException {
    return NettyTls.openSsl(false).newEngine(ByteBufAllocator.DEFAULT);
  }
}
