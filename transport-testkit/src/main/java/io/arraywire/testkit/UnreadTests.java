package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.arraywire.spi.Transports;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Peers that have much sent to them and read nothing, with the default options. */
interface UnreadTests {
  TransportStage stage();

  @Test
  default void subscribersThatReadNothingTakeNoPublisherDown() throws Exception {
    assertThat(inSmallHeap(UnreadPublications.class))
        .endsWith("hostile=20, dropped=true, disconnected=true");
  }

  @Test
  default void peersWhoseArraysNobodyTakesFillNoHeap() throws Exception {
    assertThat(inSmallHeap(UntakenArrays.class)).endsWith("cut=true, served=true");
  }

  @Test
  default void sessionsThatBreakInsideArraysFillNoHeap() throws Exception {
    assertThat(inSmallHeap(BrokenSessions.class)).endsWith("sessions=300, served=true");
  }

  /** What a program says that runs in a JVM of its own, over this transport. */
  private String inSmallHeap(Class<?> program) throws Exception {
    String name = stage().transport().name();
    assumeThat(Transports.names()).contains(name);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-cp",
                classPath(),
                program.getName(),
                name)
            .redirectErrorStream(true)
            .start();
    String said =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  /** What this JVM has on its class path and, where it has one, its module path. */
  private static String classPath() {
    String modules = System.getProperty("jdk.module.path");
    String classes = System.getProperty("java.class.path");
    return modules == null ? classes : classes + File.pathSeparator + modules;
  }
}
