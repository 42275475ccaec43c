package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.arraywire.client.ArraywireClient;
import io.arraywire.compression.Compression;
import io.arraywire.kafka.ArrayProducer;
import io.arraywire.micrometer.ArraywireMetrics;
import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import io.arraywire.testkit.TransportContract;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each library module lets the world see, and needs of it: nothing by accident. */
class ModuleDescriptorsTest {

  @Test
  void api() throws Exception {
    ModuleDescriptor module = descriptor(io.arraywire.Connection.class);
    assertThat(module.name()).isEqualTo("io.arraywire");
    assertThat(exports(module))
        .containsExactly(
            "io.arraywire",
            "io.arraywire.codec",
            "io.arraywire.frame",
            "io.arraywire.message",
            "io.arraywire.security",
            "io.arraywire.source",
            "io.arraywire.spi");
    assertThat(requires(module)).containsExactly("java.base");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void engine() throws Exception {
    ModuleDescriptor module = descriptor(io.arraywire.engine.Link.class);
    assertThat(module.name()).isEqualTo("io.arraywire.engine");
    assertThat(exports(module))
        .containsExactly("io.arraywire.engine", "io.arraywire.memory", "io.arraywire.wire");
    assertThat(requires(module))
        .containsExactly("com.google.protobuf", "io.arraywire", "java.base");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void stream() throws Exception {
    ModuleDescriptor module = descriptor(StreamTransport.class);
    assertThat(module.name()).isEqualTo("io.arraywire.stream");
    assertThat(exports(module)).containsExactly("io.arraywire.stream");
    assertThat(requires(module))
        .containsExactly("io.arraywire", "io.arraywire.engine", "java.base");
    assertThat(provides(module))
        .containsExactly("io.arraywire.spi.CodecProvider", "io.arraywire.spi.TransportProvider");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void nio() throws Exception {
    ModuleDescriptor module = descriptor(NioTransport.class);
    assertThat(module.name()).isEqualTo("io.arraywire.nio");
    assertThat(exports(module)).containsExactly("io.arraywire.nio");
    assertThat(requires(module))
        .containsExactly(
            "io.arraywire",
            "io.arraywire.engine",
            "io.netty.buffer",
            "io.netty.common",
            "java.base");
    assertThat(provides(module))
        .containsExactly("io.arraywire.spi.CodecProvider", "io.arraywire.spi.TransportProvider");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void micrometer() throws Exception {
    ModuleDescriptor module = descriptor(ArraywireMetrics.class);
    assertThat(module.name()).isEqualTo("io.arraywire.micrometer");
    assertThat(exports(module)).containsExactly("io.arraywire.micrometer");
    assertThat(requires(module)).containsExactly("io.arraywire", "java.base", "micrometer.core");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void client() throws Exception {
    ModuleDescriptor module = descriptor(ArraywireClient.class);
    assertThat(module.name()).isEqualTo("io.arraywire.client");
    assertThat(exports(module)).containsExactly("io.arraywire.client");
    assertThat(requires(module)).containsExactly("io.arraywire", "java.base");
    assertThat(module.opens()).isEmpty();
  }

  @Test
  void compression() throws Exception {
    ModuleDescriptor module = descriptor(Compression.class);
    assertThat(module.name()).isEqualTo("io.arraywire.compression");
    assertThat(exports(module)).containsExactly("io.arraywire.compression");
    assertThat(requires(module))
        .containsExactly("com.github.luben.zstd_jni", "io.arraywire", "java.base", "org.lz4.java");
    assertThat(provides(module)).containsExactly("io.arraywire.spi.CodecProvider");
    assertThat(module.opens()).isEmpty();
  }

  /** It has no descriptor, so that it does not require the file name of Kafka's jar; ADR 48. */
  @Test
  void kafka() throws Exception {
    String path = ArrayProducer.class.getName().replace('.', '/') + ".class";
    String url = ArrayProducer.class.getResource("/" + path).toString();
    URI descriptor =
        URI.create(url.substring(0, url.length() - path.length()) + "module-info.class");
    assertThatThrownBy(() -> descriptor.toURL().openStream().close())
        .isInstanceOf(FileNotFoundException.class);
    assertThat(
            Files.readString(
                Path.of(System.getProperty("basedir", "."))
                    .toAbsolutePath()
                    .resolve("../transport-kafka/pom.xml")))
        .contains("<Automatic-Module-Name>io.arraywire.kafka</Automatic-Module-Name>");
  }

  /** What only our own tests need is in the module chaos, which nobody gets. */
  @Test
  void testkit() throws Exception {
    ModuleDescriptor module = descriptor(TransportContract.class);
    assertThat(module.name()).isEqualTo("io.arraywire.testkit");
    assertThat(exports(module)).containsExactly("io.arraywire.testkit");
    assertThat(requires(module))
        .containsExactly(
            "io.arraywire",
            "java.base",
            "jdk.jfr",
            "jdk.management",
            "org.assertj.core",
            "org.junit.jupiter.api");
    assertThat(module.opens()).isEmpty();
  }

  private static Set<String> exports(ModuleDescriptor module) {
    assertThat(module.exports()).noneMatch(ModuleDescriptor.Exports::isQualified);
    return module.exports().stream()
        .map(ModuleDescriptor.Exports::source)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What must be there at run time. */
  private static Set<String> requires(ModuleDescriptor module) {
    return module.requires().stream()
        .filter(r -> !r.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
        .map(ModuleDescriptor.Requires::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> provides(ModuleDescriptor module) {
    return module.provides().stream()
        .map(ModuleDescriptor.Provides::service)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The descriptor beside a class, in its folder or jar; these tests run on the class path. */
  private static ModuleDescriptor descriptor(Class<?> type) throws IOException {
    String path = type.getName().replace('.', '/') + ".class";
    URL url = type.getResource("/" + path);
    assertThat(url).isNotNull();
    String root = url.toString().substring(0, url.toString().length() - path.length());
    try (InputStream bytes = URI.create(root + "module-info.class").toURL().openStream()) {
      return ModuleDescriptor.read(bytes);
    }
  }
}
