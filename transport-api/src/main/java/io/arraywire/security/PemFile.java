package io.arraywire.security;

import io.arraywire.spi.MessageText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads certificates and private keys as {@code openssl} writes them. Stateless; any thread. */
final class PemFile {
  /** Far more than any chain needs. */
  private static final long MOST_BYTES = 1 << 20;

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private static final List<String> KEY_ALGORITHMS = List.of("EC", "RSA", "EdDSA");

  private PemFile() {}

  static List<X509Certificate> certificates(Path file) throws IOException {
    List<X509Certificate> all = new ArrayList<>();
    for (byte[] bytes : blocks(file, "CERTIFICATE")) {
      try {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        all.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(bytes)));
      } catch (CertificateException e) {
        throw failed("a certificate in the file is damaged", file, e);
      }
    }
    if (all.isEmpty()) {
      throw failed("the file has no certificate (BEGIN CERTIFICATE)", file, null);
    }
    return all;
  }

  /** The private key of a certificate. */
  static PrivateKey key(Path file, X509Certificate certificate, Path certificateFile)
      throws IOException {
    List<byte[]> keys = blocks(file, "PRIVATE KEY");
    if (keys.isEmpty()) {
      throw failed(
          "the file has no key that can be read (BEGIN PRIVATE KEY: PKCS #8, not encrypted);"
              + " 'openssl pkcs8 -topk8 -nocrypt -in old.key -out new.key' makes one",
          file,
          null);
    }
    PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(keys.get(0));
    for (String algorithm : KEY_ALGORITHMS) {
      try {
        PrivateKey key = KeyFactory.getInstance(algorithm).generatePrivate(encoded);
        checkPair(key, file, certificate, certificateFile);
        return key;
      } catch (InvalidKeySpecException e) {
        // Of another algorithm.
      } catch (GeneralSecurityException e) {
        throw failed("the key cannot be used", file, e);
      }
    }
    throw failed("the key is damaged, or neither of EC, RSA nor EdDSA", file, null);
  }

  /** What one signs the other one has to confirm: otherwise every handshake would fail. */
  private static void checkPair(
      PrivateKey key, Path keyFile, X509Certificate certificate, Path certificateFile)
      throws IOException, GeneralSecurityException {
    byte[] text = "arraywire".getBytes(StandardCharsets.US_ASCII);
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> "EdDSA";
        };
    boolean same = key.getAlgorithm().equals(certificate.getPublicKey().getAlgorithm());
    if (same) {
      Signature signature = Signature.getInstance(algorithm);
      signature.initSign(key);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(certificate.getPublicKey());
      signature.update(text);
      same = signature.verify(signed);
    }
    if (!same) {
      throw new IOException(
          MessageText.brief(
              "the key does not belong to the first certificate; put the key's certificate first",
              "key",
              keyFile,
              "certificate",
              certificateFile,
              "subject",
              certificate.getSubjectX500Principal().getName()));
    }
  }

  private static List<byte[]> blocks(Path file, String type) throws IOException {
    String text;
    try {
      if (Files.size(file) > MOST_BYTES) {
        throw failed("the file is too large for certificates (limit=1 MiB)", file, null);
      }
      text = Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw e.getCause() == null && e.getClass() == IOException.class ? e : unreadable(file, e);
    }
    List<byte[]> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(text);
    while (matcher.find()) {
      if (matcher.group(1).equals(type)) {
        try {
          blocks.add(Base64.getMimeDecoder().decode(matcher.group(2)));
        } catch (IllegalArgumentException e) {
          throw failed("the file is damaged: not Base64", file, e);
        }
      }
    }
    return blocks;
  }

  static IOException unreadable(Path file, IOException cause) {
    return failed(
        cause instanceof NoSuchFileException ? "there is no such file" : "the file cannot be read",
        file,
        cause instanceof NoSuchFileException ? null : cause);
  }

  private static IOException failed(String text, Path file, @Nullable Throwable cause) {
    return cause == null
        ? new IOException(MessageText.brief(text, "file", file))
        : new IOException(MessageText.brief(text, "file", file, "cause", cause), cause);
  }
}
