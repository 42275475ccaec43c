package io.arraywire.testkit;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority for tests: it issues certificates for whatever names and times a test
 * needs, in some milliseconds, and nobody else trusts it. Keys exist in memory and where a test
 * writes them. Never for anything but tests. Immutable but for the serial numbers; any thread.
 */
public final class TestAuthority {
  private static final DateTimeFormatter UTC_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final char[] NO_PASSWORD = {};

  // Object identifiers, encoded.
  private static final byte[] ECDSA_WITH_SHA256 = hex("06082a8648ce3d040302");
  private static final byte[] SUBJECT_KEY = hex("0603551d0e");
  private static final byte[] KEY_USAGE = hex("0603551d0f");
  private static final byte[] SUBJECT_NAMES = hex("0603551d11");
  private static final byte[] BASIC_CONSTRAINTS = hex("0603551d13");
  private static final byte[] AUTHORITY_KEY = hex("0603551d23");
  private static final byte[] PURPOSES = hex("0603551d25");

  // Tags.
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int UTC = 0x17;
  private static final int SEQUENCE = 0x30;
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;
  private static final int TAGGED_0 = 0xa0;
  private static final int TAGGED_3 = 0xa3;
  private static final int KEY_ID = 0x80;

  private final String name;
  private final KeyPair keys;
  private final X509Certificate certificate;
  private final AtomicLong serials = new AtomicLong(System.nanoTime() >>> 1);

  private TestAuthority(String name) {
    this.name = name;
    keys = newKeys();
    Instant now = Instant.now();
    certificate =
        signed(name, keys, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(30)), List.of());
  }

  /** One that has its keys and its certificate from elsewhere. */
  private TestAuthority(String name, KeyPair keys, X509Certificate certificate) {
    this.name = name;
    this.keys = keys;
    this.certificate = certificate;
  }

  /**
   * Makes an authority with keys of its own.
   *
   * @param name its common name
   * @return the authority
   */
  public static TestAuthority named(String name) {
    return new TestAuthority(name);
  }

  /**
   * A certificate with its key, that is valid now.
   *
   * @param commonName whose it is; empty for a certificate without a subject, which needs other
   *     names
   * @param names the host names and addresses that it is for; none for a client
   * @return the identity
   */
  public Identity issue(String commonName, String... names) {
    Instant now = Instant.now();
    return issue(commonName, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(7)), names);
  }

  /**
   * A certificate with its key, that is valid from one time to another.
   *
   * @param commonName whose it is
   * @param notBefore from when on, to the second
   * @param notAfter until when, to the second
   * @param names the host names and addresses that it is for
   * @return the identity
   */
  public Identity issue(String commonName, Instant notBefore, Instant notAfter, String... names) {
    KeyPair own = newKeys();
    return new Identity(
        own, signed(commonName, own, notBefore, notAfter, Arrays.asList(names)), certificate);
  }

  /** What a certificate may be for; one that says nothing is for both. */
  enum Purpose {
    SERVER("06082b06010505070301"),
    CLIENT("06082b06010505070302");

    private final String digits;

    Purpose(String digits) {
      this.digits = digits;
    }
  }

  /** A certificate that says that it is for one thing only. */
  Identity issueFor(Purpose purpose, String commonName, String... names) {
    KeyPair own = newKeys();
    Instant now = Instant.now();
    return new Identity(
        own,
        signed(
            commonName,
            own,
            now.minus(Duration.ofDays(1)),
            now.plus(Duration.ofDays(7)),
            Arrays.asList(names),
            purpose),
        certificate);
  }

  /**
   * A certificate whose issuer has a certificate of this authority and is no authority. The name of
   * the issuer is right, but this one did not allow it to issue any.
   */
  static Identity issuedBy(
      Identity issuer, String issuersName, String commonName, String... names) {
    Instant now = Instant.now();
    return new TestAuthority(issuersName, issuer.keys(), issuer.certificate())
        .issue(commonName, now.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(7)), names);
  }

  /**
   * Writes the authority's certificate as PEM.
   *
   * @param file where to
   * @return the file
   */
  public Path write(Path file) {
    return writePem(file, "CERTIFICATE", encoded(certificate));
  }

  /**
   * A certificate, its key, and who issued it.
   *
   * @param keys the keys
   * @param certificate the certificate
   * @param issuer the authority's
   */
  public record Identity(KeyPair keys, X509Certificate certificate, X509Certificate issuer) {

    /**
     * Writes the certificate as PEM.
     *
     * @param file where to
     * @return the file
     */
    public Path writeCertificate(Path file) {
      return writePem(file, "CERTIFICATE", encoded(certificate));
    }

    /**
     * Writes the private key as PEM.
     *
     * @param file where to
     * @return the file
     */
    public Path writeKey(Path file) {
      return writePem(file, "PRIVATE KEY", keys.getPrivate().getEncoded());
    }

    /**
     * A context that has this identity and trusts its issuer.
     *
     * @return the context, the JDK's
     */
    public SSLContext context() {
      try {
        return initialized(SSLContext.getInstance("TLS"));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }

    /**
     * Gives this identity, and the issuer to trust, to a context of any provider.
     *
     * @param context one that is not initialized
     * @return the same
     */
    public SSLContext initialized(SSLContext context) {
      try {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("issuer", issuer);
        store.setKeyEntry(
            "own", keys.getPrivate(), NO_PASSWORD, new X509Certificate[] {certificate});
        KeyManagerFactory own =
            KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        own.init(store, NO_PASSWORD);
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(256);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate signed(
      String subject, KeyPair subjectKeys, Instant from, Instant to, List<String> names) {
    return signed(subject, subjectKeys, from, to, names, null);
  }

  /** RFC 5280, section 4.1, in DER; the authority's own if the keys are its. */
  private X509Certificate signed(
      String subject,
      KeyPair subjectKeys,
      Instant from,
      Instant to,
      List<String> names,
      @Nullable Purpose purpose) {
    boolean isAuthority = subjectKeys.equals(keys);
    try {
      byte[] algorithm = der(SEQUENCE, ECDSA_WITH_SHA256);
      byte[] toSign =
          der(
              SEQUENCE,
              der(TAGGED_0, der(INTEGER, new byte[] {2})),
              der(INTEGER, BigInteger.valueOf(serials.incrementAndGet()).toByteArray()),
              algorithm,
              principal(name),
              der(SEQUENCE, time(from), time(to)),
              principal(subject),
              subjectKeys.getPublic().getEncoded(),
              der(
                  TAGGED_3,
                  der(
                      SEQUENCE,
                      extensions(subjectKeys, names, subject.isEmpty(), isAuthority, purpose))));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(toSign);
      byte[] whole = der(SEQUENCE, toSign, algorithm, bits(0, signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException | UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private byte[][] extensions(
      KeyPair subjectKeys,
      List<String> names,
      boolean namesAreAll,
      boolean isAuthority,
      @Nullable Purpose purpose)
      throws GeneralSecurityException, UnknownHostException {
    List<byte[]> all = new ArrayList<>();
    all.add(extension(SUBJECT_KEY, false, der(OCTET_STRING, keyId(subjectKeys))));
    all.add(extension(AUTHORITY_KEY, false, der(SEQUENCE, der(KEY_ID, keyId(keys)))));
    if (isAuthority) {
      all.add(
          extension(
              BASIC_CONSTRAINTS, true, der(SEQUENCE, der(BOOLEAN, new byte[] {(byte) 0xff}))));
      // keyCertSign and cRLSign.
      all.add(extension(KEY_USAGE, true, bits(1, new byte[] {6})));
    }
    if (!names.isEmpty()) {
      List<byte[]> alternatives = new ArrayList<>();
      for (String each : names) {
        boolean address = each.matches("[0-9.]+|[0-9a-f]*:[0-9a-f:]*");
        alternatives.add(
            address
                ? der(IP_ADDRESS, InetAddress.getByName(each).getAddress())
                : der(DNS_NAME, each.getBytes(StandardCharsets.US_ASCII)));
      }
      all.add(
          extension(
              SUBJECT_NAMES, namesAreAll, der(SEQUENCE, alternatives.toArray(byte[][]::new))));
    }
    if (purpose != null) {
      all.add(extension(PURPOSES, false, der(SEQUENCE, hex(purpose.digits))));
    }
    return all.toArray(byte[][]::new);
  }

  private static byte[] extension(byte[] identifier, boolean critical, byte[] value) {
    byte[] wrapped = der(OCTET_STRING, value);
    return critical
        ? der(SEQUENCE, identifier, der(BOOLEAN, new byte[] {(byte) 0xff}), wrapped)
        : der(SEQUENCE, identifier, wrapped);
  }

  private static byte[] keyId(KeyPair keys) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-1").digest(keys.getPublic().getEncoded());
  }

  private static byte[] principal(String commonName) {
    return new X500Principal(commonName.isEmpty() ? "" : "CN=" + commonName).getEncoded();
  }

  private static byte[] time(Instant at) {
    return der(UTC, UTC_TIME.format(at).getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] bits(int unused, byte[] bytes) {
    return der(BIT_STRING, new byte[] {(byte) unused}, bytes);
  }

  /** A tag, the length of what follows, and what follows. */
  private static byte[] der(int tag, byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) {
      length += part.length;
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    all.write(tag);
    if (length < 0x80) {
      all.write(length);
    } else if (length < 0x100) {
      all.write(0x81);
      all.write(length);
    } else {
      all.write(0x82);
      all.write(length >> 8);
      all.write(length);
    }
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] encoded(X509Certificate certificate) {
    try {
      return certificate.getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path writePem(Path file, String type, byte[] bytes) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
    try {
      return Files.writeString(
          file, "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String toString() {
    return "test authority " + name;
  }
}
