package io.arraywire.benchmarks.bench;

import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.security.Tls;
import io.arraywire.spi.TlsEngines;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * TLS for measurements. Both ends are processes that share nothing, so each makes a certificate for
 * itself and trusts any. Measured is what follows the handshake. Never to be copied into a program
 * that is there for anything else.
 */
final class BenchTls {
  static final String PROTOCOL = "TLSv1.3";
  static final String CIPHER_SUITE = "TLS_AES_128_GCM_SHA256";
  private static final char[] PASSWORD = "measurement".toCharArray();

  private BenchTls() {}

  private static final class Holder {
    static final KeyManagerFactory KEYS = newKeys();
    static final SSLContext CONTEXT = made(KEYS);
    static final Tls TLS = Tls.of(CONTEXT);
  }

  /** The same transport over TLS. */
  static Function<TransportOptions, Transport> over(Function<TransportOptions, Transport> plain) {
    return options -> plain.apply(options.toBuilder().tls(Holder.TLS).build());
  }

  /** The same transport over TLS, with engines of another library. */
  static Function<TransportOptions, Transport> over(
      Function<TransportOptions, Transport> plain, TlsEngines engines) {
    Tls tls = Tls.of(engines);
    return options -> plain.apply(options.toBuilder().tls(tls).build());
  }

  /** An engine as the library's own: TLS 1.3, AES-128-GCM. */
  static SSLEngine engine(boolean client) {
    SSLEngine engine = Holder.CONTEXT.createSSLEngine();
    engine.setUseClientMode(client);
    engine.setEnabledProtocols(new String[] {PROTOCOL});
    engine.setEnabledCipherSuites(new String[] {CIPHER_SUITE});
    return engine;
  }

  /**
   * Checks what the two ends agreed on. BoringSSL, for one, chooses the cipher suite of TLS 1.3
   * itself, whatever it is told.
   *
   * @param session that of either end after the handshake; null if there is none
   */
  static void check(@Nullable SSLSession session) throws SSLException {
    String agreed =
        session == null ? "no TLS" : session.getProtocol() + " " + session.getCipherSuite();
    String wanted = PROTOCOL + " " + CIPHER_SUITE;
    if (!agreed.equals(wanted)) {
      throw new SSLException(
          "the ends agreed on something else than what all contenders over TLS have; figures of"
              + " it cannot be compared (agreed="
              + agreed
              + ", wanted="
              + wanted
              + ")");
    }
  }

  /** The certificate of this process, for libraries that make engines themselves. */
  static KeyManagerFactory keys() {
    return Holder.KEYS;
  }

  private static SSLContext made(KeyManagerFactory keys) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), new TrustManager[] {new TrustsAll()}, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no TLS for a measurement", e);
    }
  }

  private static KeyManagerFactory newKeys() {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(identity(), PASSWORD);
      return keys;
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("no certificate for a measurement over TLS", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static KeyStore identity()
      throws IOException, GeneralSecurityException, InterruptedException {
    Path folder = Files.createTempDirectory("arraywire-bench-tls");
    Path file = folder.resolve("keys.p12");
    try {
      Process keytool =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                      "-genkeypair",
                      "-alias",
                      "bench",
                      "-keyalg",
                      "EC",
                      "-groupname",
                      "secp256r1",
                      "-dname",
                      "CN=measurement",
                      "-storetype",
                      "PKCS12",
                      "-keystore",
                      file.toString(),
                      "-storepass",
                      new String(PASSWORD)))
              .redirectErrorStream(true)
              .start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new IOException("keytool failed: " + said);
      }
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD);
      }
      return store;
    } finally {
      Files.deleteIfExists(file);
      Files.deleteIfExists(folder);
    }
  }

  /** Checks nothing, since the other end is a process of this very measurement. */
  private static final class TrustsAll extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
