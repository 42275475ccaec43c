package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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
 * A class of a published module that makes a lock, or uses a monitor, says by {@code @GuardedBy}
 * what the lock guards. Error Prone then checks each access, where the newer JDK compiles.
 */
@Tag("newest")
class DeclaredLocksTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..");

  private static final String ANNOTATION = "com.google.errorprone.annotations.concurrent.GuardedBy";

  private static final Pattern LOCK =
      Pattern.compile(
          "new Reentrant(ReadWrite)?Lock\\(|new StampedLock\\(|synchronized \\(|\\n +([a-z]+ )*synchronized ");

  private static final Set<String> WITHOUT =
      Set.of(
          // Makes an object once, whose field is volatile.
          "EventDispatcher.java",
          // Registers meters once, and keeps them in a volatile field.
          "ArraywireMetrics.java",
          // Has writers of a volatile field take turns, which readers do without.
          "BlockCodecs.java",
          // Starts its thread once, and has no other state.
          "MemoryWorker.java",
          // Has searches take turns that mark sockets; nothing of the JVM is guarded.
          "Descriptors.java",
          // Has threads of a test take turns.
          "CodecContract.java",
          // The reader's own. The monitor only holds it up while a caller takes its array back.
          "DecodingSink.java",
          "MovableSink.java",
          "PartsSink.java",
          "WritingSink.java");

  @Test
  void whatALockGuardsIsDeclared() throws IOException {
    Set<String> without = new TreeSet<>();
    Set<String> declaring = new TreeSet<>();
    for (String module : modules()) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String text = Files.readString(file);
          if (text.contains("@GuardedBy(")) {
            declaring.add(module);
          } else if (LOCK.matcher(text).find()) {
            without.add(file.getFileName().toString());
          }
        }
      }
    }
    assertThat(declaring)
        .containsExactly(
            "transport-api",
            "transport-client",
            "transport-engine",
            "transport-kafka",
            "transport-testkit");
    assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT);
  }

  /**
   * Users have no Error Prone. Their compiler reads the fields of public classes that they use, and
   * would warn of an annotation that it does not find.
   */
  @Test
  void noPublicClassHasTheAnnotation() {
    Set<String> open = new TreeSet<>();
    int found = 0;
    for (JavaClass type :
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.arraywire")) {
      for (JavaField field : type.getFields()) {
        if (field.isAnnotatedWith(ANNOTATION)) {
          found++;
          if (type.getModifiers().contains(JavaModifier.PUBLIC)) {
            open.add(field.getFullName());
          }
        }
      }
    }
    assertThat(found).isGreaterThan(100);
    assertThat(open).isEmpty();
  }

  /** All that are published but the BOM, which has no code. */
  private static List<String> modules() throws IOException {
    try (Stream<Path> all = Files.list(ROOT)) {
      List<String> modules =
          all.map(each -> each.getFileName().toString())
              .filter(name -> name.startsWith("transport-"))
              .sorted()
              .toList();
      assertThat(modules).hasSize(9);
      return modules;
    }
  }
}
