package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
  @TempDir private Path directory;

  @Test
  void theProcessorIsTheFirstThatLinuxNames() throws IOException {
    Path info =
        Files.writeString(
            directory.resolve("cpuinfo"),
            "processor\t: 0\nmodel\t\t: 85\nmodel name\t: A CPU @ 2.00GHz\nmodel name\t: B\n");
    assertThat(Environment.cpu(info)).isEqualTo("A CPU @ 2.00GHz");
    assertThat(Environment.cpu(Files.writeString(info, "CPU part : 0xd0c\n"))).isEqualTo("unknown");
    assertThat(Environment.cpu(directory.resolve("missing"))).isEqualTo("unknown");
  }

  @Test
  void theCommandIsAsOneWouldTypeIt() {
    assertThat(Samples.environment().words())
        .containsEntry("Command", "./arraywire bench --json 'it'\\''s <b>.json'")
        .containsEntry("Commit", "0123456789abcdef, with changes");
  }

  @Test
  void hereIsAMachine() {
    Environment here = Environment.here(List.of("x"));
    assertThat(here.processors()).isPositive();
    assertThat(here.memoryBytes()).isGreaterThan(1 << 20);
    assertThat(here.kernel()).contains(System.getProperty("os.version"), ", TCP ");
    assertThat(Environment.congestionControl()).matches("[a-z0-9_]+");
    assertThat(here.javaVersion()).isEqualTo(Runtime.version().toString());
  }

  private void shell(String command) throws Exception {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(output).isZero();
  }

  @Test
  void whereThereIsNoCheckoutTheCommitIsUnknown() {
    assertThat(Checkout.around(directory)).isEqualTo(new Checkout("unknown", null));
  }

  @Test
  void aCheckoutOfSomethingElseIsNotOurs() throws Exception {
    shell(
        "git init -q && touch x && git add . && git -c user.name=x -c user.email=x@example.org commit -q"
            + " -m x");
    assertThat(Checkout.around(directory).commit()).isEqualTo("unknown");
  }

  @Test
  void aCommitIsModifiedIfWhatIsBuiltDiffers() throws Exception {
    shell(
        "git init -q && mkdir -p benchmarks/src docs && touch pom.xml benchmarks/pom.xml && git add ."
            + " && git -c user.name=x -c user.email=x@example.org commit -q -m x");
    Checkout clean = Checkout.around(directory.resolve("benchmarks/target/benchmarks.jar"));
    assertThat(clean.commit()).matches("[0-9a-f]{40,64}");
    assertThat(clean.modified()).isFalse();
    // Figures that a run leaves there change nothing.
    shell("touch bench.json docs/notes.md");
    assertThat(Checkout.around(directory)).isEqualTo(clean);
    shell("echo 'class X {}' > benchmarks/src/X.java");
    assertThat(Checkout.around(directory)).isEqualTo(new Checkout(clean.commit(), true));
  }
}
