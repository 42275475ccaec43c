package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/observing.md has the names and the phrases of what {@code describe()} says. */
@Tag("newest")
final class DescribePageTest {
  private static final Pattern NAME = Pattern.compile("([A-Za-z]+)(?=\\[[^]]*]=|=)");

  @Test
  void describeSaysWhatThePageShows() throws Exception {
    String page = section();
    for (Transport transport :
        List.of(
            NioTransport.create(TransportOptions.defaults()),
            StreamTransport.create(TransportOptions.defaults()))) {
      String said = described(transport);
      assertThat(NAME.matcher(said).results().map(found -> found.group(1)).distinct())
          .as(said)
          .allSatisfy(name -> assertThat(page).containsPattern(name + "[=\\[]"));
      // "nio A -> B over TCP, IPv4, large arrays staged: a reason, open; agreed: ..."
      for (String phrase : phrases(said)) {
        assertThat(page).as(said).contains(phrase);
      }
    }
  }

  /** What is said up to the state, without addresses, numbers and reasons. */
  private static List<String> phrases(String said) {
    String path =
        said.substring(said.indexOf(" over ") + 1, said.indexOf("; agreed: "))
            .replaceAll(", (paced by )?TCP [a-z].*", "")
            // a reason may have commas of its own
            .replaceAll(": .*?(?=, open|$)", "");
    return Stream.of(path.split(", "))
        .map(phrase -> phrase.replaceAll("\\d{2,}.*", "").strip())
        .toList();
  }

  private static String described(Transport transport) throws Exception {
    try (transport;
        Listener listener = transport.listen(Transport.address("127.0.0.1:0"));
        Connection client = transport.connect(listener.address());
        Connection server = listener.accept()) {
      client.send(new float[] {1});
      server.receive();
      return client.describe();
    }
  }

  private static String section() throws IOException {
    String page = Files.readString(Path.of("../docs/observing.md"));
    int begin = page.indexOf("## describe()");
    return page.substring(begin, page.indexOf("\n## ", begin)).replaceAll("\\s+", " ");
  }
}
