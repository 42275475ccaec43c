package io.arraywire.security;

import io.arraywire.spi.TlsEngines;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** The engines of a context. Immutable; any thread. */
record ContextEngines(SSLContext context) implements TlsEngines {

  @Override
  public SSLEngine client(String peerName, int port) {
    return context.createSSLEngine(peerName, port);
  }

  @Override
  public SSLEngine server() {
    return context.createSSLEngine();
  }
}
