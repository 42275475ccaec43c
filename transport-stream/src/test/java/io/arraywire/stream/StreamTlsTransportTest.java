package io.arraywire.stream;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.testkit.TestAuthority;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over TLS, both sides with a certificate. Peers that misbehave speak TLS with the JDK's sockets.
 */
@Tag("ciphers")
@Tag("newest")
@Tag("variant")
class StreamTlsTransportTest extends StreamTransportTest {
  private static TestAuthority.@Nullable Identity identity;
  private static @Nullable Tls tls;

  @BeforeAll
  static void issue(@TempDir Path folder) {
    TestAuthority authority = TestAuthority.named("arraywire test");
    identity = authority.issue("both", "localhost", "127.0.0.1");
    tls =
        Tls.server(
                identity.writeCertificate(folder.resolve("both.pem")),
                identity.writeKey(folder.resolve("both.key")))
            .trust(authority.write(folder.resolve("ca.pem")))
            .requireClientCertificate();
  }

  @Override
  protected Transport create(TransportOptions options) {
    return StreamTransport.create(options.toBuilder().tls(tls).build());
  }

  @Override
  protected @Nullable SSLContext peersTls() {
    return identity == null ? null : identity.context();
  }
}
