package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.arraywire.Transports;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Peers that have much sent to them and read nothing, with the default options. */
interface UnreadTests {
  TransportStage stage();

  @Test
  default void subscribersThatReadNothingTakeNoPublisherDown() throws Exception {
    String name = stage().transport().name();
    assumeThat(Transports.names()).contains(name);
    Process publisher =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-cp",
                classPath(),
                UnreadPublications.class.getName(),
                name)
            .redirectErrorStream(true)
            .start();
    String said =
        new String(publisher.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
    assertThat(said).endsWith("hostile=20, dropped=true, disconnected=true");
    assertThat(publisher.waitFor()).isZero();
  }

  /** What this JVM has on its class path and, where it has one, its module path. */
  private static String classPath() {
    String modules = System.getProperty("jdk.module.path");
    String classes = System.getProperty("java.class.path");
    return modules == null ? classes : classes + File.pathSeparator + modules;
  }
}
