package io.arraywire.examples.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The usage line of each command: what it cannot do without. Picocli's own names every option, and
 * so fills the first screen of help with those that few need.
 */
final class Synopsis {
  private Synopsis() {}

  /**
   * Gives a short usage line to all commands below one.
   *
   * @param root the command whose own line stays as it is
   */
  static void shorten(CommandLine root) {
    for (CommandLine each : root.getSubcommands().values()) {
      CommandSpec command = each.getCommandSpec();
      command.usageMessage().customSynopsis(line(command));
      shorten(each);
    }
  }

  private static String line(CommandSpec command) {
    StringBuilder line = new StringBuilder(bold(command.qualifiedName())).append(" [OPTION]...");
    for (OptionSpec each : command.options()) {
      if (each.required()) {
        line.append(' ').append(each.longestName()).append('=').append(each.paramLabel());
      }
    }
    for (PositionalParamSpec each : command.positionalParameters()) {
      if (!each.hidden()) {
        String label = each.paramLabel() + (each.arity().max() > 1 ? "..." : "");
        line.append(' ').append(each.arity().min() > 0 ? label : "[" + label + "]");
      }
    }
    if (!command.subcommands().isEmpty()) {
      line.append(" [COMMAND]");
    }
    return line.toString();
  }

  private static String bold(String words) {
    return "@|bold " + words + "|@";
  }
}
