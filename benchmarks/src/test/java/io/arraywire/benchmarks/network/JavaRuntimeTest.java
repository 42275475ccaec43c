package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JavaRuntimeTest {
  @Test
  void theLibrariesAreThoseThatLddFindsOutsideOfTheRuntime() {
    String listed =
        """
        /tmp/x/runtime/bin/java:
        \tlinux-vdso.so.1 (0x00007ff3a179b000)
        \tlibz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f0d3e2a1000)
        \tlibjli.so => /tmp/x/runtime/lib/libjli.so (0x00007f0d3e28f000)
        \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0d3e0ae000)
        \t/lib64/ld-linux-x86-64.so.2 (0x00007f0d3e2c9000)
        /tmp/x/runtime/lib/libnio.so:
        \tlibjvm.so => not found
        \tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f0d3e0ae000)
        """;
    assertThat(JavaRuntime.libraries(listed, Path.of("/tmp/x/runtime")))
        .containsExactly(
            Path.of("/lib/x86_64-linux-gnu/libc.so.6"),
            Path.of("/lib/x86_64-linux-gnu/libz.so.1"),
            Path.of("/lib64/ld-linux-x86-64.so.2"));
  }

  /** Those of zstd name them, and JDK 17 of Debian does not. */
  @Test
  void thePartsOfTheCLibraryAreThereToo(@TempDir Path directory) throws Exception {
    Path library = Files.createFile(directory.resolve("libc.so.6"));
    Path dl = Files.createFile(directory.resolve("libdl.so.2"));
    Path other = Path.of("/lib/libz.so.1");
    assertThat(JavaRuntime.withPartsOfC(List.of(library, other)))
        .containsExactlyInAnyOrder(library, dl, other);
  }
}
