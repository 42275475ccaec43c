package io.arraywire.nio;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.testkit.SessionContract;
import io.arraywire.testkit.TestAuthority;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Sessions whose connections break over TLS, both sides with a certificate. */
@Tag("ciphers")
@Tag("variant")
class NioTlsSessionTest extends SessionContract {
  private static @Nullable Tls tls;

  @BeforeAll
  static void issue(@TempDir Path folder) {
    TestAuthority authority = TestAuthority.named("arraywire test");
    TestAuthority.Identity identity = authority.issue("both", "localhost", "127.0.0.1");
    tls =
        Tls.server(
                identity.writeCertificate(folder.resolve("both.pem")),
                identity.writeKey(folder.resolve("both.key")))
            .trust(authority.write(folder.resolve("ca.pem")))
            .requireClientCertificate();
  }

  @Override
  protected Transport create(TransportOptions options) {
    return NioTransport.create(options.toBuilder().tls(tls).build());
  }
}
