package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExamplesTest {
  @Test
  void helloArraysPrintsWhatItSent() throws Exception {
    assertThat(StandardOut.of(HelloArrays::main)).containsExactly("[1.0, 2.0, 3.0]");
  }

  /** A program that says hello meets three types of the library. */
  @Test
  void helloArraysNeedsThreeTypes() throws Exception {
    Path source = Path.of("src/main/java/io/arraywire/examples/HelloArrays.java");
    assertThat(Files.readAllLines(Path.of(System.getProperty("basedir", ".")).resolve(source)))
        .filteredOn(line -> line.startsWith("import io.arraywire."))
        .containsExactly(
            "import io.arraywire.Connection;",
            "import io.arraywire.Listener;",
            "import io.arraywire.nio.NioTransport;");
  }

  /** The same program with an array that no buffer on the way holds. */
  @Test
  void helloArraysPrintsAnArrayOfAnySize(@TempDir Path directory) throws Exception {
    Path source = Path.of("src/main/java/io/arraywire/examples/HelloArrays.java");
    String program =
        Files.readString(Path.of(System.getProperty("basedir", ".")).resolve(source))
            .replace("float[] array = {1, 2, 3};", "float[] array = new float[300_000];")
            // In a package the launcher would find the class that is compiled already.
            .replace("package io.arraywire.examples;", "");
    assertThat(program).contains("300_000");
    Path changed = Files.writeString(directory.resolve("HelloArrays.java"), program);
    try (CliProcess hello =
        CliProcess.start(Map.of(), CliProcess.java(), "-cp", CliProcess.classPath(), changed)) {
      assertThat(hello.awaitExit()).as("%s", hello.err()).isZero();
      assertThat(hello.out()).hasSize(1);
      assertThat(hello.out().get(0).split(",")).hasSize(300_000);
    }
  }

  @Test
  void theFailoverClientAsksTheServerThatIsThere() throws Exception {
    try (Listener server =
        NioTransport.listen(
            "127.0.0.1:0", Handlers.answering(query -> Message.of(query.slice())))) {
      String there = server.address().toString().substring(1);
      // Nobody listens at port 1.
      assertThat(
              StandardOut.of(
                  nothing -> FailoverClient.main(new String[] {"4", "127.0.0.1:1", there})))
          .startsWith("sum 10")
          .contains(there + " READY")
          .hasSize(3);
    }
  }

  @Test
  void eitherHalfOfAnOldApplicationCanBeReplaced() throws Exception {
    assertThat(LegacyPeer.fromOldToNew()).containsExactly(1, 2, 3);
    assertThat(LegacyPeer.fromNewToOld()).containsExactly(4, 5, 6);
  }
}
