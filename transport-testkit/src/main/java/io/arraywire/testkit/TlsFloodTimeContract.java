package io.arraywire.testkit;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import javax.net.ssl.SSLContext;

/** {@link FloodTimeContract} over TLS, where frames without effect have to be decrypted first. */
public abstract class TlsFloodTimeContract extends FloodTimeContract {
  private final SSLContext context =
      TestAuthority.named("trusted").issue("both", TlsScene.HERE).context();

  /** For JUnit. */
  protected TlsFloodTimeContract() {}

  /**
   * Makes the transport to check.
   *
   * @param options its options, with TLS
   * @return a new transport
   */
  protected abstract Transport overTls(TransportOptions options);

  @Override
  protected final Transport create(TransportOptions options) {
    return overTls(options.toBuilder().tls(Tls.of(context)).build());
  }

  @Override
  final SSLContext peersTls() {
    return context;
  }
}
