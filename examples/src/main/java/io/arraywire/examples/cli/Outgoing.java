package io.arraywire.examples.cli;

import io.arraywire.examples.file.ArrayFile;
import org.jspecify.annotations.Nullable;

/**
 * A file that is to be sent.
 *
 * @param file the array
 * @param name the name that travels with it, or null where the receiver numbers it
 * @param shown what it is called here: a path, a member of an archive, or {@code -}
 * @param digest the SHA-256 of its elements, little-endian, or null if nobody checks it
 */
record Outgoing(ArrayFile file, @Nullable TravelName name, String shown, @Nullable String digest) {

  /** The same with a digest. */
  Outgoing withDigest(String sha256) {
    return new Outgoing(file, name, shown, sha256);
  }
}
