package io.arraywire.spi;

import java.io.IOException;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Makes the {@link SSLEngine} of each connection: for providers that have no {@link
 * javax.net.ssl.SSLContext}, such as Netty's OpenSSL. Given to {@link
 * io.arraywire.security.Tls#of(TlsEngines)}. Any thread may call; each call makes an engine that no
 * other connection has. The library sets protocols, cipher suites, the check of the host name and
 * the demand for client certificates on it. In the end it closes both its directions.
 */
public interface TlsEngines {

  /**
   * Makes the engine of the side that connects.
   *
   * @param peerName the name that the peer's certificate has to be for: a host name or an address
   * @param port the port that was dialled; -1 if there is none
   * @return a new engine
   * @throws IOException if there can be none; the connection fails with this as its cause
   */
  SSLEngine client(String peerName, int port) throws IOException;

  /**
   * Makes the engine of the side that listens.
   *
   * @return a new engine
   * @throws IOException if there can be none; the connection fails with this as its cause
   */
  SSLEngine server() throws IOException;

  /**
   * Tells of a problem that an operator should look at although connections are still made, such as
   * a renewed certificate that cannot be read.
   *
   * @return one sentence, the same object as long as it is the same trouble; null if all is well
   */
  default @Nullable String trouble() {
    return null;
  }
}
