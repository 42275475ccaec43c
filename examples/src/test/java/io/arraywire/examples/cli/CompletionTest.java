package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.arraywire.spi.Codec;
import io.arraywire.spi.Codecs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts for shells, asked by the shells; and the manual page, read by groff. */
@Tag("newest")
class CompletionTest {
  @TempDir Path dir;

  private static boolean isThere(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private String said(String... command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).directory(dir.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }

  private List<String> bash(String... words) throws IOException, InterruptedException {
    return bashBehind("", words);
  }

  /** What bash offers for a word of which some letters are typed. */
  private List<String> bashBehind(String typed, String... words)
      throws IOException, InterruptedException {
    Files.writeString(dir.resolve("arraywire.bash"), run("generate-completion").out());
    String line =
        ". ./arraywire.bash; COMP_WORDS=(arraywire "
            + String.join(" ", words)
            + " '"
            + typed
            + "'); COMP_CWORD="
            + (words.length + 1)
            + "; _complete_arraywire 2>/dev/null; printf '%s\\n' \"${COMPREPLY[@]}\"";
    return said("bash", "-c", line).lines().map(String::strip).toList();
  }

  private static String[] named(boolean inBlocks) {
    return Codecs.installed().stream()
        .filter(each -> each.encoding().isInBlocks() == inBlocks)
        .map(Codec::name)
        .toArray(String[]::new);
  }

  /**
   * They once offered the techniques for codecs, too: options with one label share their values.
   */
  @Test
  void bashOffersTheValuesOfTheOptionThatStandsThere() throws Exception {
    assumeTrue(isThere("bash"), "bash is here");
    String[] codecs = named(false);
    for (String command : List.of("send", "receive")) {
      assertThat(bash(command, "--codec")).containsExactlyInAnyOrder(codecs);
      assertThat(bash(command, "--transport")).containsExactlyInAnyOrder("nio", "stream");
    }
    assertThat(bash("send", "--technique"))
        .containsExactlyInAnyOrder("stream", "heap", "direct", "mapped", "transfer", "array");
    assertThat(bash("receive", "--technique"))
        .containsExactlyInAnyOrder("buffer", "mapped", "transfer");
    assertThat(bash("send", "--compress"))
        .containsExactlyInAnyOrder(named(true))
        .contains("shuffle-zstd", "shuffle-lz4", "bf16", "fp16");
    assertThat(bash("send", "--order")).containsExactlyInAnyOrder("little", "big");
    assertThat(bash()).contains("send", "receive", "doctor", "generate-completion");
  }

  /** A zsh without anybody's settings, which has a terminal of its own: Tab is pressed in it. */
  private static final String TAB_IN_ZSH =
      """
      zmodload zsh/zpty
      zpty shell "TERM=dumb zsh -f -i"
      zpty -w shell 'PS1=""; autoload -U compinit; compinit -u -D; . ./arraywire.bash; PS1="RE""ADY>"'
      zpty -r shell said '*READY>*'
      zpty -w -n shell "$1"$'\\t\\t\\C-u'
      zpty -w shell 'print DO""NE'
      zpty -r shell said '*DONE*'
      print -r -- $said
      """;

  private List<String> zsh(String line) throws IOException, InterruptedException {
    Files.writeString(dir.resolve("arraywire.bash"), run("generate-completion", "zsh").out());
    Path script = Files.writeString(dir.resolve("tab.zsh"), TAB_IN_ZSH);
    return List.of(said("zsh", "-f", script.toString(), line).split("\\s+", -1));
  }

  /** The script is that of bash: zsh reads it with what it has for such scripts. */
  @Test
  void zshOffersTheSameAsBash() throws Exception {
    assumeTrue(isThere("zsh"), "zsh is here");
    assertThat(zsh("arraywire ")).contains("send", "receive", "doctor", "generate-completion");
    assertThat(zsh("arraywire send --codec ")).contains(named(false));
    assertThat(zsh("arraywire receive --technique "))
        .contains("buffer", "mapped", "transfer")
        .doesNotContain("heap");
  }

  @Test
  void fishHasALineForEachOptionAndItsValues() throws Exception {
    Outcome fish = run("generate-completion", "fish");
    assertThat(fish.status()).isZero();
    String send = "complete -c arraywire -n '__fish_seen_subcommand_from send' ";
    assertThat(fish.out().lines())
        .anyMatch(line -> line.startsWith(send + "-l transport -x -a 'nio stream' -d "))
        .anyMatch(line -> line.startsWith(send + "-l cert -r -F -d 'This side\\'s certificate"))
        .anyMatch(line -> line.startsWith(send + "-l json -d "))
        .anyMatch(line -> line.equals(send + "-F"))
        .anyMatch(
            line -> line.startsWith("complete -c arraywire -n '__fish_use_subcommand' -a 'send'"))
        .noneMatch(line -> line.contains("%n"))
        // The values, which stand before it, are not once more in its words.
        .anyMatch(line ->
            line.startsWith(send + "-l codec -x -a 'buffer-view ")
                && line.endsWith("and so the encoding on the wire.'"));
    if (isThere("fish")) {
      Path script = Files.writeString(dir.resolve("a.fish"), fish.out());
      assertThat(said("fish", "-c", "source " + script + "; complete -C 'arraywire send --order '"))
          .contains("little", "big");
    }
  }

  /** The bridges to Kafka once listed it and refused it. */
  @ParameterizedTest
  @CsvSource({"send, true", "receive, true", "to-kafka, false", "from-kafka, false"})
  void plainModeIsOfferedByCommandsThatTakeIt(String command, boolean offered) throws Exception {
    assertThat(run(command, "--help").out().contains("--plain")).isEqualTo(offered);
    assertThat(
            run("generate-completion", "fish")
                .out()
                .lines()
                .anyMatch(line ->
                    line.contains("__fish_seen_subcommand_from " + command + "'")
                        && line.contains("-l plain ")))
        .isEqualTo(offered);
    String page = run("generate-man-page").out();
    String section = page.split(".SH \"COMMAND " + command.toUpperCase(Locale.ROOT) + "\"", 2)[1];
    assertThat(section.split("(?m)^.SH ", 2)[0].contains("\\-\\-plain")).isEqualTo(offered);
    if (isThere("bash")) {
      assertThat(bashBehind("--pl", command).contains("--plain")).isEqualTo(offered);
    }
  }

  @Test
  void anUnknownShellIsNamed() {
    Outcome outcome = run("generate-completion", "csh");
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.err()).contains("unknown shell (shell=csh, known=bash zsh fish)");
  }

  @Test
  void theManualPageHasEveryCommandAndOption() throws Exception {
    Outcome page = run("generate-man-page");
    assertThat(page.status()).isZero();
    assertThat(page.out())
        .startsWith(".TH ARRAYWIRE 1 ")
        .contains(".SH \"COMMAND SEND\"", ".SH \"EXIT STATUS\"", "\\fB\\-\\-max\\-bytes\\fR");
    for (String command : List.of("send", "receive", "demo", "doctor")) {
      String[] words = run(command, "--help").out().split("\\s+", -1);
      assertThat(Arrays.stream(words).filter(word -> word.matches("--[a-z-]{2,}")))
          .allSatisfy(option -> assertThat(page.out()).contains(option.replace("-", "\\-")));
    }
    if (isThere("groff")) {
      Path file = Files.writeString(dir.resolve("arraywire.1"), page.out());
      assertThat(said("groff", "-man", "-Tascii", "-ww", "-z", file.toString())).isEmpty();
    }
  }
}
