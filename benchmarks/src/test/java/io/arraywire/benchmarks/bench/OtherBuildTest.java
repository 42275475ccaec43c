package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A repository with a launcher that makes a jar out of nothing. */
class OtherBuildTest {
  @TempDir private Path root;

  @BeforeEach
  void commit() throws Exception {
    launcher("mkdir -p benchmarks/target; echo built >>benchmarks/target/benchmarks.jar");
    git("init", "-q");
    commit("first");
  }

  private void launcher(String script) throws IOException {
    Path launcher = root.resolve("arraywire");
    Files.writeString(launcher, "#!/bin/sh\ncd \"$(dirname \"$0\")\"\n" + script + "\n");
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  private void commit(String message) throws Exception {
    git("add", "arraywire");
    git("-c", "user.name=T", "-c", "user.email=t@example.org", "commit", "-q", "-m", message);
  }

  private void git(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
    command.addAll(List.of(words));
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }

  @Test
  void aCommitIsBuiltInACloneOfItsOwn() throws Exception {
    launcher("exit 1");
    commit("second, which does not build");
    List<String> said = new ArrayList<>();
    OtherBuild build = OtherBuild.of(root, "HEAD~1", said::add);
    assertThat(build.archive()).startsWith(root.resolve(".arraywire/builds")).hasContent("built");
    assertThat(said).singleElement().asString().contains("building " + build.name());
    assertThat(OtherBuild.of(root, "HEAD~1", said::add)).isEqualTo(build);
  }

  @Test
  void aCommitThatDoesNotBuildSaysWhy() throws Exception {
    launcher("echo 'no compiler found' >&2; exit 3");
    commit("second");
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> OtherBuild.of(root, "HEAD", text -> {}))
        .withMessageContaining("status=3")
        .withMessageContaining("no compiler found");
  }

  @Test
  void aCommitThatIsNoneIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OtherBuild.of(root, "nosuch", text -> {}))
        .withMessageContaining("commit=nosuch");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> OtherBuild.of(root, "--help", text -> {}))
        .withMessageContaining("commit=--help");
  }

  /**
   * One that does not would send noise, and its rates would be compared with those of other data.
   */
  @Test
  void aBuildKnowsDataOrDoesNot() throws Exception {
    Path jar = root.resolve("some.jar");
    for (boolean knows : new boolean[] {true, false}) {
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
        String name = knows ? "SampleData" : "Elements";
        out.putNextEntry(new ZipEntry("io/arraywire/benchmarks/bench/" + name + ".class"));
      }
      assertThat(new OtherBuild("name", jar).knows(SampleData.TICKS)).isEqualTo(knows);
    }
  }

  /** Builds that know kinds of data need not know files. */
  @Test
  void aBuildKnowsFilesOrDoesNot() throws Exception {
    Path jar = root.resolve("some.jar");
    FileData data = FileData.of(NpyFiles.write(root.resolve("some.npy"), 1f));
    for (boolean knows : new boolean[] {true, false}) {
      try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
        String name = knows ? "FileData" : "SampleData";
        out.putNextEntry(new ZipEntry("io/arraywire/benchmarks/bench/" + name + ".class"));
      }
      assertThat(new OtherBuild("name", jar).knows(data)).isEqualTo(knows);
    }
  }
}
