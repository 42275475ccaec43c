package io.arraywire.examples.cli;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code arraywire generate-completion}. */
@Command(
    name = "generate-completion",
    description =
        "Writes a script with which a shell completes commands, options and their values.",
    footer = {
      "",
      "  . <(arraywire generate-completion)                 # bash, and zsh after compinit",
      "  arraywire generate-completion fish > ~/.config/fish/completions/arraywire.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      defaultValue = "bash",
      completionCandidates = Shells.class,
      description = "${COMPLETION-CANDIDATES}. Default: bash.")
  private String shell;

  CompletionCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    StoredCommand.addTo(spec.root());
    console.print(
        switch (shell.toLowerCase(Locale.ROOT)) {
          // Its script loads what zsh has for those of bash.
          case "bash", "zsh" -> AutoComplete.bash(spec.root().name(), spec.root().commandLine());
          case "fish" -> FishCompletion.of(spec.root());
          default ->
              throw new ParameterException(
                  spec.commandLine(),
                  "unknown shell (shell="
                      + shell
                      + ", known="
                      + String.join(" ", new Shells())
                      + ")");
        });
    return 0;
  }

  /** For {@code --help} and completion. */
  static final class Shells implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return List.of("bash", "zsh", "fish").iterator();
    }
  }
}
