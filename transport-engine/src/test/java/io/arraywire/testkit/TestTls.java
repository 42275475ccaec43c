package io.arraywire.testkit;

import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/** What both sides of a test have, with certificates of its own. */
final class TestTls {
  private TestTls() {}

  /** From files, and with a certificate at both sides. */
  static Tls mutual(Path folder) {
    TestAuthority authority = TestAuthority.named("arraywire test");
    TestAuthority.Identity both = authority.issue("both", "localhost", "127.0.0.1");
    return Tls.server(
            both.writeCertificate(folder.resolve("both.pem")),
            both.writeKey(folder.resolve("both.key")))
        .trust(authority.write(folder.resolve("ca.pem")))
        .requireClientCertificate();
  }

  /** TLS 1.2 and nothing newer. */
  static Tls old() {
    SSLContext context =
        TestAuthority.named("arraywire test").issue("both", "localhost", "127.0.0.1").context();
    return Tls.of(
        new TlsEngines() {
          @Override
          public SSLEngine client(String peerName, int port) {
            return old(context.createSSLEngine(peerName, port));
          }

          @Override
          public SSLEngine server() {
            return old(context.createSSLEngine());
          }

          private SSLEngine old(SSLEngine engine) {
            engine.setEnabledProtocols(new String[] {"TLSv1.2"});
            return engine;
          }
        });
  }
}
