package io.arraywire.examples;

import io.arraywire.message.ArrayMessage;
import io.arraywire.message.Limits;
import io.arraywire.message.Message;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Leaves arrays for a system that has no Arraywire, in a file. The bytes describe themselves;
 * {@code docs/array-message.md} is enough to read them. The value of a record of a broker or the
 * body of an HTTP request is made in the same way.
 */
public final class FeatureFile {
  private static final Limits LIMITS = Limits.ofBytes(1 << 20);

  private FeatureFile() {}

  /**
   * Writes a file and reads it again.
   *
   * @param arguments the file
   * @throws Exception if that fails
   */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[0]);
    float[] features = {0.5f, 1, -2, 4, 8, -0.25f};
    long[] users = {1001, 1002};
    Message message =
        Message.of("features", features, 2, 3).with("users", users).tag(42).attribute("unit", "K");
    Files.write(file, ArrayMessage.encode(message));
    Message back = ArrayMessage.decode(Files.readAllBytes(file), LIMITS);
    System.out.println(back.tag() + " " + back.parts()); // 42 [features=float[2, 3], users=long[2]]
    System.out.println(back.floats("features")[5]); // -0.25
  }
}
