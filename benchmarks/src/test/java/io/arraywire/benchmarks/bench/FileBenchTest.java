package io.arraywire.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileBenchTest {
  @TempDir private Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private FileBench bench(String... arguments) {
    return FileBench.of(new PrintStream(out), arguments);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "64M 3 | three arguments are needed: SIZE,... ROUNDS DIRECTORY (arguments=2)",
        "64M 3 DIRECTORY more | (arguments=4)",
        "64X 3 DIRECTORY | such as 64M (size=64X)",
        "64M, 3 DIRECTORY | such as 64M (size=)",
        "64M,6 3 DIRECTORY | sizes must be multiples of 4 bytes, less than the heap of 3 GiB (size=6)",
        "0 3 DIRECTORY | (size=0)",
        "3G 3 DIRECTORY | (size=3221225472)",
        "64M 0 DIRECTORY | ROUNDS must be a number from 1 on (rounds=0)",
        "64M many DIRECTORY | ROUNDS must be a number from 1 on (rounds=many)",
        "64M 3 /no/such | no such directory (directory=/no/such)",
      })
  void whatCannotBeIsSaid(String arguments, String complaint) throws Exception {
    String[] words = arguments.replace("DIRECTORY", directory.toString()).split(" ");
    assertThatThrownBy(() -> bench(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(complaint);
    assertThat(directory).isEmptyDirectory();
    assertThat(out.size()).isZero();
  }

  @Test
  void aFileIsNoDirectory() throws Exception {
    Path file = Files.createFile(directory.resolve("file"));
    assertThatThrownBy(() -> bench("64M", "3", file.toString()))
        .hasMessage("no such directory (directory=" + file + ")");
  }

  @Test
  void whatCanBeIsNotRefused() {
    assertThat(bench("4,1K,64M,2G", "1", directory.toString())).isNotNull();
  }
}
