package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What may be in the repository. */
@Tag("newest")
class RepositoryTest {
  private static final long LARGEST_BYTES = 300 << 10;

  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  /** The files that git keeps, and those that it would with the next {@code git add}. */
  private static List<Path> files() throws IOException, InterruptedException {
    assumeTrue(Files.exists(ROOT.resolve(".git")), "a source tree without git");
    Process git =
        new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
            .directory(ROOT.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(git.waitFor()).isZero();
    List<Path> files = new ArrayList<>();
    for (String each : names.split("\0")) {
      Path file = ROOT.resolve(each);
      if (Files.isRegularFile(file)) {
        files.add(file);
      }
    }
    assertThat(files).hasSizeGreaterThan(500);
    return files;
  }

  /** Figures that back a table are kept compressed, see {@code ./arraywire bench keep}. */
  @Test
  void noFileIsLargerThan300KiB() throws Exception {
    for (Path each : files()) {
      assertThat(Files.size(each))
          .as("bytes of %s; 'bench keep' compresses figures", ROOT.relativize(each))
          .isLessThanOrEqualTo(LARGEST_BYTES);
    }
  }

  /** Pages are made of figures: {@code ./arraywire bench report}. */
  @Test
  void noPageThatACommandMakesIsKept() throws Exception {
    assertThat(files()).noneMatch(file -> file.toString().endsWith(".html"));
  }

  /** A module whose POM does not bind the execution "alone" would leave such tests out. */
  @Test
  void testsThatRunAloneAreRun() throws Exception {
    int found = 0;
    for (Path each : files()) {
      boolean integration = each.toString().endsWith("IT.java");
      if ((integration || each.toString().endsWith("Test.java"))
          && Files.readString(each).contains("@Tag(\"alone\")")) {
        found++;
        Path module = ROOT.resolve(ROOT.relativize(each).getName(0));
        assertThat(module.resolve("pom.xml"))
            .as("the POM of %s", ROOT.relativize(each))
            .content()
            .containsPattern(
                "maven-"
                    + (integration ? "failsafe" : "surefire")
                    + "-plugin</artifactId>(?:(?!</plugin>)[\\s\\S])*<id>alone</id>");
      }
    }
    assertThat(found).isPositive();
  }

  /**
   * The classes of JDK 22 lie among a module's own classes. With incremental compilation the plugin
   * takes them for a dependency that has changed, and compiles this module and all that depend on
   * it again. That costs two minutes for each build, and takes classes away from programs that run
   * meanwhile.
   */
  @Test
  void aSecondBuildCompilesNothing() throws Exception {
    int found = 0;
    for (Path each : files()) {
      if (each.endsWith("pom.xml")) {
        for (String execution : Files.readString(each).split("<execution>")) {
          if (execution.contains("<multiReleaseOutput>true<")) {
            found++;
            assertThat(execution)
                .as("an execution of %s", ROOT.relativize(each))
                .contains("<useIncrementalCompilation>false<");
          }
        }
      }
    }
    assertThat(found).isPositive();
  }
}
