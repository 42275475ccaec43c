package io.arraywire.examples.cli;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Spec;

/**
 * {@code arraywire generate-man-page}: what {@code --help} says of every command, as a page for
 * {@code man}. Written by itself, since picocli's generator writes AsciiDoc, which would want a
 * further program to become a page.
 */
@Command(
    name = "generate-man-page",
    description = "Writes the manual page of all commands, for man.",
    footer = {"", "  arraywire generate-man-page > ~/.local/share/man/man1/arraywire.1"})
final class ManPageCommand implements Callable<Integer> {
  /** What every command has stands once. */
  private static final Set<String> OF_ALL = Set.of("--help", "--version", "--verbose");

  private final Console console;
  private final StringBuilder page = new StringBuilder();

  @Spec private CommandSpec spec;

  ManPageCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() {
    CommandSpec root = spec.root();
    StoredCommand.addTo(root);
    page.append(".TH ARRAYWIRE 1 \"\" \"arraywire ")
        .append(escaped(Version.number()))
        .append("\" \"User commands\"\n");
    heading("NAME");
    text(root.name() + " - moves arrays of numbers between processes");
    heading("SYNOPSIS");
    page.append(".B ").append(root.name()).append("\n.I COMMAND\n.RI [ OPTION ]...\n");
    heading("DESCRIPTION");
    text(root.usageMessage().description());
    options(root);
    for (CommandLine each : root.subcommands().values().stream().distinct().toList()) {
      command(each.getCommandSpec());
    }
    heading("EXIT STATUS");
    root.usageMessage().exitCodeList().forEach((code, words) -> item(code, List.of(words)));
    console.print(page.toString().strip());
    return 0;
  }

  private void command(CommandSpec command) {
    heading("COMMAND " + command.qualifiedName().substring(command.root().name().length() + 1));
    text(command.usageMessage().description());
    for (PositionalParamSpec each : command.positionalParameters()) {
      if (!each.hidden()) {
        item("\\fI" + escaped(each.paramLabel()) + "\\fR", List.of(each.description()));
      }
    }
    options(command);
    String[] footer = command.usageMessage().footer();
    if (footer.length > 0) {
      page.append(".PP\n");
    }
    boolean example = false;
    for (String line : footer) {
      // Examples are indented there, and stand as they are.
      boolean next = line.startsWith("  ");
      if (next != example) {
        page.append(next ? ".nf\n" : ".fi\n");
        example = next;
      }
      page.append(line.isEmpty() ? ".PP" : escaped(line)).append('\n');
    }
    if (example) {
      page.append(".fi\n");
    }
    for (CommandLine each : command.subcommands().values().stream().distinct().toList()) {
      command(each.getCommandSpec());
    }
  }

  private void options(CommandSpec command) {
    for (OptionSpec each : command.options()) {
      if (!each.hidden() && (command.parent() == null || !OF_ALL.contains(each.longestName()))) {
        String names = String.join("\\fR, \\fB", List.of(each.names())).replace("-", "\\-");
        String value = each.arity().max() == 0 ? "" : " \\fI" + escaped(each.paramLabel()) + "\\fR";
        item("\\fB" + names + "\\fR" + value, List.of(each.description()));
      }
    }
  }

  private void heading(String name) {
    page.append(".SH ").append('"').append(name.toUpperCase(Locale.ROOT)).append("\"\n");
  }

  private void item(String term, List<String> lines) {
    page.append(".TP\n").append(term).append('\n');
    for (int i = 0; i < lines.size(); i++) {
      page.append(i == 0 ? "" : ".br\n").append(escaped(lines.get(i))).append('\n');
    }
  }

  private void text(String... lines) {
    for (String line : lines) {
      page.append(escaped(line)).append('\n');
    }
  }

  /** A point or an apostrophe at the beginning of a line would be a request. */
  private static String escaped(String text) {
    String plain = text.replace("\\", "\\\\").replace("-", "\\-");
    return plain.startsWith(".") || plain.startsWith("'") ? "\\&" + plain : plain;
  }
}
