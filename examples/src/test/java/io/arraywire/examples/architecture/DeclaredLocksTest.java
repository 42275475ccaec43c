package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A class of the engine that makes a lock, or uses its own monitor, says by {@code @GuardedBy} what
 * the lock guards. Error Prone then checks each access, where the newer JDK compiles.
 */
@Tag("newest")
class DeclaredLocksTest {
  private static final Pattern LOCK =
      Pattern.compile("new ReentrantLock\\(|synchronized \\(this\\)|\\n  [a-z ]*synchronized ");

  private static final Set<String> WITHOUT =
      Set.of(
          // Public: code that is compiled against them would need the annotation, too.
          "AcceptQueue.java",
          "EarlyTouch.java",
          "EngineListener.java",
          "SharedTransport.java",
          // Makes an object once, whose field is volatile.
          "EventDispatcher.java",
          // Starts its thread once, and has no other state.
          "MemoryWorker.java",
          // The reader's own. The monitor only holds it up while a caller takes its array back.
          "DecodingSink.java",
          "MovableSink.java",
          "PartsSink.java",
          "WritingSink.java");

  @Test
  void whatALockGuardsIsDeclared() throws IOException {
    Path sources =
        Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("../transport-engine/src/main/java");
    Set<String> without = new TreeSet<>();
    int declared = 0;
    try (Stream<Path> files = Files.walk(sources)) {
      List<Path> all = files.filter(file -> file.toString().endsWith(".java")).toList();
      for (Path file : all) {
        String text = Files.readString(file);
        if (text.contains("@GuardedBy(")) {
          declared++;
        } else if (LOCK.matcher(text).find()) {
          without.add(file.getFileName().toString());
        }
      }
    }
    assertThat(declared).isGreaterThan(25);
    assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT);
  }
}
