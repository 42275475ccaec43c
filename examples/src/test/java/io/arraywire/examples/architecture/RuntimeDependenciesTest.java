package io.arraywire.examples.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** What a user of each library module gets on the class path with it, as its POM says. */
@Tag("newest")
class RuntimeDependenciesTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolve("..");

  private static final Map<String, List<String>> BROUGHT =
      Map.of(
          "transport-api", List.of(),
          "transport-engine", List.of("arraywire-api", "protobuf-java"),
          "transport-stream", List.of("arraywire-api", "arraywire-engine", "protobuf-java"),
          "transport-nio",
              List.of("arraywire-api", "arraywire-engine", "netty-buffer", "protobuf-java"),
          "transport-micrometer", List.of("arraywire-api", "micrometer-core"),
          "transport-client", List.of("arraywire-api"),
          "transport-compression", List.of("arraywire-api", "lz4-java", "zstd-jni"),
          "transport-kafka", List.of("arraywire-api", "kafka-clients"));

  static List<String> modules() {
    return BROUGHT.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void aModuleBringsNothingByAccident(String module) throws Exception {
    assertThat(brought(module)).containsExactlyElementsOf(BROUGHT.get(module));
  }

  /** What the parent says is true of all. */
  @Test
  void theParentBringsNothing() throws Exception {
    assertThat(brought("")).isEmpty();
  }

  private static List<String> brought(String module) throws Exception {
    Element project =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(ROOT.resolve(module).resolve("pom.xml").toFile())
            .getDocumentElement();
    List<String> brought = new ArrayList<>();
    for (Element dependencies : children(project, "dependencies")) {
      for (Element dependency : children(dependencies, "dependency")) {
        String scope = text(dependency, "scope");
        boolean inherited = scope.isEmpty() || scope.equals("compile") || scope.equals("runtime");
        if (inherited && !text(dependency, "optional").equals("true")) {
          brought.add(text(dependency, "artifactId"));
        }
      }
    }
    return brought.stream().sorted().toList();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> children = new ArrayList<>();
    NodeList all = parent.getChildNodes();
    for (int i = 0; i < all.getLength(); i++) {
      Node each = all.item(i);
      if (each instanceof Element element && element.getTagName().equals(name)) {
        children.add(element);
      }
    }
    return children;
  }

  private static String text(Element parent, String name) {
    return children(parent, name).stream()
        .map(Element::getTextContent)
        .findFirst()
        .orElse("")
        .strip();
  }
}
