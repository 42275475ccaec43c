package io.arraywire.engine;

import java.math.BigInteger;
import java.security.Principal;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.Set;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate with neither a subject nor other names. The JDK reads none; other providers of TLS
 * have classes of their own.
 */
final class NamelessCertificate extends X509Certificate {
  private static final long serialVersionUID = 1;

  private final X509Certificate named;

  NamelessCertificate(X509Certificate named) {
    this.named = named;
  }

  @Override
  public X500Principal getSubjectX500Principal() {
    return new X500Principal("");
  }

  @Override
  public X500Principal getIssuerX500Principal() {
    return named.getIssuerX500Principal();
  }

  @Override
  public byte[] getExtensionValue(String identifier) {
    return null;
  }

  @Override
  public PublicKey getPublicKey() {
    return named.getPublicKey();
  }

  // Nobody asks for the rest.

  @Override
  public void checkValidity() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkValidity(Date date) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getVersion() {
    throw new UnsupportedOperationException();
  }

  @Override
  public BigInteger getSerialNumber() {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("deprecation") // Abstract above.
  public Principal getIssuerDN() {
    throw new UnsupportedOperationException();
  }

  @Override
  @SuppressWarnings("deprecation") // Abstract above.
  public Principal getSubjectDN() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Date getNotBefore() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Date getNotAfter() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getTBSCertificate() throws CertificateEncodingException {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getSignature() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getSigAlgName() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getSigAlgOID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getSigAlgParams() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getIssuerUniqueID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getSubjectUniqueID() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean[] getKeyUsage() {
    throw new UnsupportedOperationException();
  }

  @Override
  public int getBasicConstraints() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] getEncoded() throws CertificateEncodingException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void verify(PublicKey key) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void verify(PublicKey key, String provider) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String toString() {
    return "a certificate without any name";
  }

  @Override
  public boolean hasUnsupportedCriticalExtension() {
    return false;
  }

  @Override
  public Set<String> getCriticalExtensionOIDs() {
    return Set.of();
  }

  @Override
  public Set<String> getNonCriticalExtensionOIDs() {
    return Set.of();
  }
}
