package io.arraywire.examples.cli;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** A completion script for fish, which picocli has none for. */
final class FishCompletion {
  private static final String AT_ROOT = "__fish_use_subcommand";

  private final StringBuilder script = new StringBuilder();
  private final String program;

  private FishCompletion(String program) {
    this.program = program;
  }

  /** The script for a command and those below it. */
  static String of(CommandSpec root) {
    FishCompletion fish = new FishCompletion(root.name());
    fish.script.append("complete -c ").append(root.name()).append(" -f\n");
    fish.add(root, AT_ROOT);
    return fish.script.toString().strip();
  }

  private void add(CommandSpec command, String where) {
    List<CommandLine> below = command.subcommands().values().stream().distinct().toList();
    for (CommandLine each : below) {
      CommandSpec spec = each.getCommandSpec();
      line(
          where, "-a " + quoted(spec.name()) + described(first(spec.usageMessage().description())));
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        line(where, option(option));
      }
    }
    command.positionalParameters().stream()
        .filter(each -> !each.hidden())
        .map(FishCompletion::values)
        .filter(values -> !values.isEmpty())
        .forEach(values -> line(where, values.strip()));
    for (CommandLine each : below) {
      CommandSpec spec = each.getCommandSpec();
      String seen = "__fish_seen_subcommand_from " + spec.name();
      List<String> deeper =
          spec.subcommands().values().stream().map(CommandLine::getCommandName).distinct().toList();
      add(
          spec,
          (where.equals(AT_ROOT) ? "" : where + "; and ")
              + seen
              + (deeper.isEmpty()
                  ? ""
                  : "; and not __fish_seen_subcommand_from " + String.join(" ", deeper)));
    }
  }

  private void line(String where, String rest) {
    script
        .append("complete -c ")
        .append(program)
        .append(" -n ")
        .append(quoted(where))
        .append(' ')
        .append(rest)
        .append('\n');
  }

  private static String option(OptionSpec option) {
    StringBuilder words = new StringBuilder();
    for (String name : option.names()) {
      words.append(name.startsWith("--") ? " -l " : " -s ").append(name.replaceFirst("^-+", ""));
    }
    if (option.arity().max() > 0) {
      String values = values(option);
      // -x wants a value and offers no files, -r offers them as well.
      words.append(values.contains("-F") ? " -r -F" : " -x" + values);
    }
    return words.append(described(words(option))).toString().strip();
  }

  /** What an option does. Its values are left out: fish shows these words beside each of them. */
  private static String words(OptionSpec option) {
    String text = first(option.description());
    return option.completionCandidates() == null
        ? text
        : text.replace(": " + String.join(", ", option.completionCandidates()), "");
  }

  /** The values that fish offers for an option: names, files, or none. */
  private static String values(ArgSpec argument) {
    if (argument.completionCandidates() != null
        && argument.completionCandidates().iterator().hasNext()) {
      return " -a " + quoted(String.join(" ", argument.completionCandidates()));
    }
    boolean file =
        argument.type() == Path.class
            || (argument.auxiliaryTypes().length > 0 && argument.auxiliaryTypes()[0] == Path.class);
    return file ? " -F" : "";
  }

  private static String described(String text) {
    return text.isEmpty() ? "" : " -d " + quoted(text);
  }

  /** The first sentence. */
  private static String first(String... lines) {
    return lines.length == 0 ? "" : lines[0].replace("%n", "").replaceFirst("(?<=\\.) .*", "");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}
