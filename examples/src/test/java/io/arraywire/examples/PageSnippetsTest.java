package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.TransportOptions;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every block of Java on the first page, in tutorial and guide, for operators, of the client and on
 * the how-to pages is part of a file that the compiler has seen, and what can run here runs.
 */
class PageSnippetsTest {
  private static final Path ROOT =
      Path.of(System.getProperty("basedir", "."))
          .toAbsolutePath()
          .normalize()
          .resolve("..")
          .normalize();

  private static final Path PROGRAMS = ROOT.resolve("examples/src/main/java/io/arraywire/examples");
  private static final Path SNIPPETS =
      ROOT.resolve("examples/src/test/java/io/arraywire/examples/PageSnippets.java");

  static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("docs/tutorial.md"));
    pages.add(ROOT.resolve("docs/guide.md"));
    pages.add(ROOT.resolve("docs/client.md"));
    pages.add(ROOT.resolve("docs/operators.md"));
    try (Stream<Path> howTo = Files.list(ROOT.resolve("docs/how-to"))) {
      howTo.sorted().forEach(pages::add);
    }
    assertThat(pages).hasSizeGreaterThanOrEqualTo(12);
    return pages;
  }

  /** The blocks of a language, without the indentation that lists give them. */
  private static List<List<String>> blocks(Path page, String language) throws IOException {
    List<List<String>> blocks = new ArrayList<>();
    List<String> block = null;
    for (String line : Files.readAllLines(page)) {
      if (block == null) {
        block = line.strip().equals("```" + language) ? new ArrayList<>() : null;
      } else if (line.strip().equals("```")) {
        blocks.add(block);
        block = null;
      } else {
        block.add(line);
      }
    }
    return blocks;
  }

  /** Lines may be broken elsewhere than on the page, which is wider. */
  private static String dense(String code) {
    return code.replaceAll("\\s+", "");
  }

  private static List<String> compiled() throws IOException {
    List<String> sources = new ArrayList<>();
    sources.add(dense(Files.readString(SNIPPETS)));
    try (Stream<Path> programs = Files.walk(PROGRAMS)) {
      for (Path each : programs.filter(file -> file.toString().endsWith(".java")).toList()) {
        sources.add(dense(Files.readString(each)));
      }
    }
    return sources;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void theCompilerHasSeenEveryStatement(Path page) throws IOException {
    List<String> compiled = compiled();
    for (List<String> block : blocks(page, "java")) {
      // An empty line parts what two programs do.
      for (String part : String.join("\n", block).split("\n\\s*\n")) {
        assertThat(compiled)
            .as("%s has a block that is in no program:\n%s", ROOT.relativize(page), part)
            .anyMatch(source -> source.contains(dense(part)));
      }
    }
  }

  /** Short enough to be read at a glance; the hello world is a whole program. */
  @Test
  void theFirstPagesSnippetsAreShort() throws IOException {
    List<List<String>> blocks = blocks(ROOT.resolve("README.md"), "java");
    assertThat(blocks).hasSizeGreaterThanOrEqualTo(6);
    assertThat(blocks.get(1)).anyMatch(line -> line.contains("Handlers.answering"));
    assertThat(blocks.subList(1, blocks.size()))
        .allSatisfy(block -> assertThat(block).hasSizeLessThanOrEqualTo(6));
  }

  @Test
  void askingAndTagging() throws Exception {
    BlockingQueue<String> got = new LinkedBlockingQueue<>();
    try (Listener server =
            NioTransport.listen(
                "localhost:0",
                Handlers.answering(
                        query -> Message.of("ids", new int[2]).with("scores", new float[2]))
                    .withArrays((from, array) -> got.add(array.tag() + " " + array.count())));
        Connection client = NioTransport.connect(server.address())) {
      assertThat(PageSnippets.asked(client, new float[3])).isEqualTo(4);
      PageSnippets.tagged(client, new float[480 * 640]);
      assertThat(got.poll(1, TimeUnit.MINUTES)).isEqualTo("42 307200");
      PageSnippets.inFlight(client, Collections.nCopies(6, new float[100]));
      PageSnippets.urgent(client, new float[1]);
      for (int i = 0; i < 7; i++) {
        assertThat(got.poll(1, TimeUnit.MINUTES)).isNotNull();
      }
    }
  }

  @Test
  void theLatestOfASubject() throws Exception {
    assertThat(PageSnippets.latest("localhost:0")).containsExactly(0.5f, 1);
  }

  @Test
  void theOldProgramAndTheNewOne() throws Exception {
    BlockingQueue<float[]> got = new LinkedBlockingQueue<>();
    Listener listener = PageSnippets.plain(Transport.address("localhost:0"), got::add);
    try (Socket old = new Socket()) {
      old.connect(listener.address());
      PageSnippets.oldWay(new DataOutputStream(old.getOutputStream()), new float[] {1, 2});
      assertThat(got.poll(1, TimeUnit.MINUTES)).containsExactly(1, 2);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PageSnippets.oldWay(new DataOutputStream(bytes), new float[] {3});
    assertThat(bytes.size()).isEqualTo(8);
    listener.close();
  }

  @Test
  void aServerAndAClientInPlaceOfNettys() throws Exception {
    List<float[]> scores = Collections.synchronizedList(new ArrayList<>());
    PageSnippets.Model model =
        new PageSnippets.Model() {
          @Override
          public void learn(float[] sample) {}

          @Override
          public float[] score(float[] features) {
            return new float[] {features[0] * 2};
          }
        };
    try (Listener server = PageSnippets.whole("localhost:0", model, new float[] {21}, scores)) {
      Awaitility.await().until(() -> !scores.isEmpty());
      assertThat(scores.get(0)).containsExactly(42);
      assertThat(server.address()).isInstanceOf(InetSocketAddress.class);
    }
  }

  @Test
  void optionsThatThePagesBuildAreValid() {
    assertThat(PageSnippets.sized().memoryBudgetBytes()).isEqualTo(256 << 20);
    assertThat(PageSnippets.far().inboxBytes()).isEqualTo(64 << 20);
    TransportOptions watched = PageSnippets.watched(new SimpleMeterRegistry());
    assertThat(watched.observer()).isNotNull();
    try (Transport polling = PageSnippets.polling()) {
      assertThat(polling.name()).isEqualTo("nio");
    }
  }
}
