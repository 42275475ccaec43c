package io.arraywire.benchmarks.bench;

import io.arraywire.benchmarks.network.JvmHosts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What arrays are filled with: data that is made from a seed, or a file's. It is the same in every
 * JVM. The JVMs of contenders are told by a system property, so that how they are asked is the same
 * in every build.
 */
sealed interface ArrayData permits SampleData, FileData {
  /** The system property that tells a JVM of it. */
  String PROPERTY = "arraywire.bench.data";

  /**
   * So many elements, always the same; fewer are the beginning of more.
   *
   * @throws IOException if a file cannot be read
   */
  float[] elements(int count) throws IOException;

  /** What titles and figures call it. */
  String label();

  /** The value of the property for JVMs on these hosts. */
  String word(JvmHosts hosts);

  /** The files that hosts must have. */
  default List<Path> files() {
    return List.of();
  }

  /** What figures say of it beside its label, by name. */
  default Map<String, @Nullable Object> facts() {
    return Map.of();
  }

  /** The option that tells JVMs on these hosts. */
  default String jvmOption(JvmHosts hosts) {
    return "-D" + PROPERTY + "=" + word(hosts);
  }

  /**
   * What this JVM was told.
   *
   * @throws IOException if it is a file that cannot be used
   */
  static ArrayData here() throws IOException {
    return named(System.getProperty(PROPERTY, SampleData.NOISE.label()));
  }

  /**
   * Data by its word, or by the path of its file.
   *
   * @throws IllegalArgumentException if there is none of that name
   * @throws IOException if it is a file that cannot be used
   */
  static ArrayData named(String word) throws IOException {
    if (FileData.isMeantBy(word)) {
      return FileData.of(Path.of(word));
    }
    SampleData made = SampleData.named(word);
    if (made == null) {
      throw new IllegalArgumentException(
          "no such data; there are "
              + String.join(", ", new SampleData.Words())
              + ", and a file's whose name ends in "
              + FileData.SUFFIX
              + " (data="
              + word
              + ")");
    }
    return made;
  }
}
