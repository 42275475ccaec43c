package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.client.ArraywireClient;
import io.arraywire.compression.Compression;
import io.arraywire.kafka.ArrayProducer;
import io.arraywire.micrometer.ArraywireMetrics;
import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member that users may call does not go or change by accident; see docs/adr/0039. */
@Tag("newest")
class PublicApiTest {
  static final List<Class<?>> MODULES =
      List.of(
          Connection.class,
          NioTransport.class,
          StreamTransport.class,
          ArraywireMetrics.class,
          ArraywireClient.class,
          Compression.class,
          ArrayProducer.class);

  private static final Path DESCRIPTION =
      Path.of(System.getProperty("basedir", ".")).resolve("src/test/api/public-api.jar");

  @Test
  void nothingThatIsDescribedIsGoneOrAnother() throws Exception {
    byte[] now = PublicApi.outline(MODULES);
    if (Boolean.getBoolean("arraywire.api.renew")) {
      Files.write(DESCRIPTION, now);
    }
    assertThat(PublicApi.broken(Files.readAllBytes(DESCRIPTION), now))
        .as(
            "Programs compiled against the API that examples/src/test/api/public-api.jar describes break. Take the"
                + " change back. If it is meant, which it may be until the first release, say so in CHANGELOG.md and"
                + " renew the description: mvn test -pl examples -am -Dtest=PublicApiTest"
                + " -Darraywire.api.renew=true")
        .isEmpty();
  }

  /** A comparison that found no classes would find no differences either. */
  @Test
  void whatIsGoneIsNamed() throws Exception {
    byte[] described = Files.readAllBytes(DESCRIPTION);
    assertThat(PublicApi.broken(described, PublicApi.outline(MODULES.subList(1, MODULES.size()))))
        .contains(
            "io.arraywire.Connection: CLASS_REMOVED", "io.arraywire.spi.Codecs: CLASS_REMOVED")
        .doesNotContain("io.arraywire.nio.NioTransport: CLASS_REMOVED");
  }
}
