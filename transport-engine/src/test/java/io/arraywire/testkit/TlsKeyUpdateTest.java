package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.security.Tls;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Security;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keys change in mid-stream. JSSE changes them after 2^37 bytes; here after 2^18, which a JVM has
 * to be told before its first connection, so this has one of its own.
 */
@Tag("ci")
@Tag("ciphers")
@Timeout(300)
class TlsKeyUpdateTest {
  private static final int ARRAYS = 16;

  @Test
  void arraysPassWhileKeysChange(@TempDir Path folder) throws Exception {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m",
            "-Djavax.net.debug=ssl,handshake",
            "-cp",
            classPath(),
            TlsKeyUpdateTest.class.getName(),
            folder.toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    List<String> said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
            .lines()
            .toList();
    List<String> end = said.subList(Math.max(0, said.size() - 20), said.size());
    assertThat(process.waitFor()).as(String.join("\n", end)).isZero();
    assertThat(said).contains("whole=" + ARRAYS);
    // Both directions of 16 MiB, each 256 KiB: 128.
    assertThat(said.stream().filter(line -> line.contains("Produced KeyUpdate")).count())
        .isGreaterThan(100);
  }

  private static String classPath() {
    String modules = System.getProperty("jdk.module.path");
    String classes = System.getProperty("java.class.path");
    return modules == null ? classes : classes + File.pathSeparator + modules;
  }

  /** Sends arrays to and fro, and says how many came whole. */
  public static void main(String[] arguments) throws Exception {
    Security.setProperty("jdk.tls.keyLimits", "AES/GCM/NoPadding KeyUpdate 2^18");
    Tls tls = TestTls.mutual(Path.of(arguments[0]));
    TransportOptions options = TransportOptions.builder().tls(tls).build();
    AtomicLong whole = new AtomicLong();
    try (Transport transport = InMemoryTransport.create(options);
        Listener listener =
            transport.listen(
                MemoryAddress.free(),
                Handlers.ofArrays((connection, array) -> connection.send(array.ints())));
        Connection connection = transport.connect(listener.address())) {
      int[] array = new int[1 << 18];
      for (int i = 0; i < ARRAYS; i++) {
        Arrays.setAll(array, index -> index * 31);
        array[i] = i;
        connection.send(array);
        if (Arrays.equals(array, connection.receive().ints())) {
          whole.incrementAndGet();
        }
      }
    }
    System.out.println("whole=" + whole);
  }
}
