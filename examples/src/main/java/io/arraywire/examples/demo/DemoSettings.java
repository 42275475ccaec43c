package io.arraywire.examples.demo;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What a demo does.
 *
 * @param file the {@code .npy} file whose array is sent
 * @param name what to call it
 * @param bytes how much of it each transfer moves: it is repeated or cut to that size
 * @param elementwiseBytes the same for codecs that move one element at a time, at most
 * @param warmups rounds that are not counted
 * @param rounds rounds that are
 */
public record DemoSettings(
    Path file, String name, long bytes, long elementwiseBytes, int warmups, int rounds) {

  /** Checks its parts. */
  public DemoSettings {
    Objects.requireNonNull(file, "file");
    Objects.requireNonNull(name, "name");
    if (bytes < 1 || elementwiseBytes < 1 || warmups < 0 || rounds < 1) {
      throw new IllegalArgumentException(
          "sizes and rounds must be 1 or more, and warm-ups 0 or more (bytes="
              + bytes
              + ", elementwiseBytes="
              + elementwiseBytes
              + ", warmups="
              + warmups
              + ", rounds="
              + rounds
              + ")");
    }
  }
}
