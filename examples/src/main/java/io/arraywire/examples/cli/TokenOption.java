package io.arraywire.examples.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The token that {@code send} shows and {@code receive} demands; never an argument by itself. */
final class TokenOption {
  private static final int MOST_BYTES = 256;

  /** With as much white space as a file may have. */
  private static final int MOST_FILE_BYTES = 4096;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description =
          "receive lets in only peers that show the token in this file; send shows it. White space"
              + " around it does not count. To another host a token needs --tls.")
  private @Nullable Path file;

  boolean isChosen() {
    return file != null;
  }

  /**
   * Reads the token.
   *
   * @return the token; null if none was asked for
   * @throws IllegalArgumentException if the file cannot be used
   */
  byte @Nullable [] value() {
    Path from = file;
    if (from == null) {
      return null;
    }
    byte[] bytes;
    try (InputStream in = Files.newInputStream(from)) {
      bytes = in.readNBytes(MOST_FILE_BYTES);
    } catch (NoSuchFileException e) {
      throw new IllegalArgumentException("no such file (token-file=" + from + ")", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("the file cannot be read (token-file=" + from + ")", e);
    }
    int begin = 0;
    int end = bytes.length;
    while (begin < end && isWhite(bytes[begin])) {
      begin++;
    }
    while (end > begin && isWhite(bytes[end - 1])) {
      end--;
    }
    if (begin == end || end - begin > MOST_BYTES) {
      throw new IllegalArgumentException(
          "a token has 1 to "
              + MOST_BYTES
              + " bytes, and this file has "
              + (begin == end ? "none" : "more")
              + " (token-file="
              + from
              + ")");
    }
    return Arrays.copyOfRange(bytes, begin, end);
  }

  /** As the Python package has it. */
  private static boolean isWhite(byte each) {
    return each == ' ' || (each >= '\t' && each <= '\r');
  }
}
