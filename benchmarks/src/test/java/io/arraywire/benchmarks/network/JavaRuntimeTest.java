package io.arraywire.benchmarks.network;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

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
}
