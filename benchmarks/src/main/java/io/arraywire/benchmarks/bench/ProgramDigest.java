package io.arraywire.benchmarks.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Tells apart builds of the benchmarks that the commit does not: with changes, or without git. */
final class ProgramDigest {
  private static final int DIGITS = 16;

  private ProgramDigest() {}

  /** Of the archive that this class is in. */
  static String here() throws IOException {
    try {
      return of(
          Path.of(ProgramDigest.class.getProtectionDomain().getCodeSource().getLocation().toURI()));
    } catch (URISyntaxException e) {
      throw new IOException("the program is in no file", e);
    }
  }

  /** Of a file; one that is none, such as a directory of classes, is told by its name alone. */
  static String of(Path program) throws IOException {
    if (!Files.isRegularFile(program)) {
      return program.toString();
    }
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
    try (InputStream in = new DigestInputStream(Files.newInputStream(program), digest)) {
      in.transferTo(OutputStream.nullOutputStream());
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
  }
}
