package io.arraywire.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.arraywire.spi.MessageText;
import io.arraywire.spi.TlsEngines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Certificates and keys in PEM files, and the engines that have them. The files are looked at again
 * when an engine is made, once a second at most. While what they hold does not fit together, as in
 * the middle of a renewal, what was read before stays. Any thread.
 */
final class PemTls implements TlsEngines {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final char[] NO_PASSWORD = {};

  private final @Nullable Path chainFile;
  private final @Nullable Path keyFile;
  private final @Nullable Path authoritiesFile;

  private final ReentrantLock lock = new ReentrantLock();

  // Written under the lock, read without.
  private volatile ContextEngines engines;
  private volatile @Nullable String trouble;

  @GuardedBy("lock")
  private List<Object> stamps;

  @GuardedBy("lock")
  private long lookedAt = System.nanoTime();

  private PemTls(@Nullable Path chainFile, @Nullable Path keyFile, @Nullable Path authoritiesFile) {
    this.chainFile = chainFile;
    this.keyFile = keyFile;
    this.authoritiesFile = authoritiesFile;
    try {
      stamps = stamps();
      engines = load();
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          MessageText.brief("certificate or key cannot be used", "cause", e, "files", this), e);
    }
  }

  static PemTls empty() {
    return new PemTls(null, null, null);
  }

  PemTls certificate(Path chain, Path key) {
    return new PemTls(chain, key, authoritiesFile);
  }

  PemTls trust(Path authorities) {
    return new PemTls(chainFile, keyFile, authorities);
  }

  boolean hasCertificate() {
    return chainFile != null;
  }

  boolean namesAuthorities() {
    return authoritiesFile != null;
  }

  @Override
  public SSLEngine client(String peerName, int port) {
    return current().client(peerName, port);
  }

  @Override
  public SSLEngine server() {
    return current().server();
  }

  @Override
  public @Nullable String trouble() {
    return trouble;
  }

  private ContextEngines current() {
    // While one thread looks at the files, others use the engines made before.
    if (lock.tryLock()) {
      try {
        if (System.nanoTime() - lookedAt >= LOOK_NANOS) {
          look();
          lookedAt = System.nanoTime();
        }
      } finally {
        lock.unlock();
      }
    }
    return engines;
  }

  /** Reads the files again if they have changed. */
  @GuardedBy("lock")
  private void look() {
    try {
      List<Object> now = stamps();
      if (!now.equals(stamps)) {
        engines = load();
        stamps = now;
      }
      trouble = null;
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      String text =
          MessageText.brief(
              "changed certificate files cannot be used; connections still have what was read"
                  + " before",
              "cause",
              e,
              "files",
              this);
      if (!text.equals(trouble)) {
        trouble = text;
      }
    }
  }

  private List<Object> stamps() throws IOException {
    List<Object> all = new ArrayList<>();
    for (Path file : files()) {
      BasicFileAttributes attributes;
      try {
        attributes = Files.readAttributes(file, BasicFileAttributes.class);
      } catch (IOException e) {
        throw PemFile.unreadable(file, e);
      }
      all.add(attributes.lastModifiedTime());
      all.add(attributes.size());
      all.add(String.valueOf(attributes.fileKey()));
    }
    return all;
  }

  private List<Path> files() {
    List<Path> all = new ArrayList<>();
    if (chainFile != null && keyFile != null) {
      all.add(chainFile);
      all.add(keyFile);
    }
    if (authoritiesFile != null) {
      all.add(authoritiesFile);
    }
    return all;
  }

  private ContextEngines load() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys(), new TrustManager[] {trust()}, null);
    return new ContextEngines(context);
  }

  private KeyManager @Nullable [] keys() throws IOException, GeneralSecurityException {
    if (chainFile == null || keyFile == null) {
      return null;
    }
    List<X509Certificate> chain = PemFile.certificates(chainFile);
    PrivateKey key = PemFile.key(keyFile, chain.get(0), chainFile);
    KeyStore store = emptyStore();
    store.setKeyEntry("key", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, NO_PASSWORD);
    return factory.getKeyManagers();
  }

  private PeerTrust trust() throws IOException, GeneralSecurityException {
    @Nullable KeyStore store = null;
    if (authoritiesFile != null) {
      store = emptyStore();
      List<X509Certificate> authorities = PemFile.certificates(authoritiesFile);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("authority-" + i, authorities.get(i));
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager checks) {
        return new PeerTrust(
            checks, authoritiesFile == null ? "the JDK's" : String.valueOf(authoritiesFile));
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for X.509 certificates");
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  @Override
  public String toString() {
    return (chainFile == null ? "client" : "certificate=" + chainFile + ", key=" + keyFile)
        + (authoritiesFile == null ? "" : ", trust=" + authoritiesFile);
  }
}
