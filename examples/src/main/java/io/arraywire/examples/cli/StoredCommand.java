package io.arraywire.examples.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The names, options and descriptions of {@code bench}, from a text file. Its classes are in a
 * module that takes minutes to build, and completion and the manual page need only its
 * descriptions. A test of that module compares the file with the command, and writes it anew.
 *
 * <p>Each line has a word for its kind and fields with tabs between. The lines are {@code command}
 * (how deep, name), {@code description} and {@code footer} (a line of text). {@code option} has
 * names, arity, label, type, values and lines of text. {@code parameter} has an index, and the same
 * from the arity on.
 */
public final class StoredCommand {
  private static final String RESOURCE = "bench-command.txt";

  private StoredCommand() {}

  /** Adds the command to a root that lacks it, so that all commands can be listed. */
  static void addTo(CommandSpec root) {
    if (root.subcommands().containsKey(ArraywireCommand.BENCH)) {
      return;
    }
    root.commandLine().addSubcommand(new CommandLine(read(lines())));
  }

  private static List<String> lines() {
    try (InputStream in = StoredCommand.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("a resource is missing (resource=" + RESOURCE + ")");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CommandSpec read(List<String> lines) {
    Deque<CommandSpec> open = new ArrayDeque<>();
    for (String line : lines) {
      List<String> fields = Arrays.stream(line.split("\t", -1)).map(StoredCommand::plain).toList();
      switch (fields.get(0)) {
        case "command" -> {
          while (open.size() > Integer.parseInt(fields.get(1))) {
            open.pop();
          }
          CommandSpec next = CommandSpec.create().name(fields.get(2));
          next.usageMessage().sortOptions(false);
          if (!open.isEmpty()) {
            open.element().addSubcommand(fields.get(2), next);
          }
          open.push(next);
        }
        case "description" -> {
          CommandLine.Model.UsageMessageSpec usage = open.element().usageMessage();
          usage.description(more(usage.description(), fields.get(1)));
        }
        case "footer" -> {
          CommandLine.Model.UsageMessageSpec usage = open.element().usageMessage();
          usage.footer(more(usage.footer(), fields.get(1)));
        }
        case "option" -> open.element().addOption(option(fields));
        case "parameter" -> open.element().addPositional(parameter(fields));
        default ->
            throw new IllegalStateException(
                "a line that is not known (resource=" + RESOURCE + ", line=" + line + ")");
      }
    }
    return open.getLast();
  }

  private static String[] more(String[] lines, String line) {
    List<String> all = new ArrayList<>(List.of(lines));
    all.add(line);
    return all.toArray(String[]::new);
  }

  /** What options and parameters have in common; picocli's builders have no common type. */
  private record Argument(
      String arity,
      String label,
      Class<?> type,
      Class<?> element,
      @Nullable List<String> values,
      List<String> description) {
    static Argument of(List<String> fields) {
      String type = fields.get(4);
      Class<?> element =
          type.equals("flag") ? boolean.class : type.startsWith("path") ? Path.class : String.class;
      String values = fields.get(5);
      return new Argument(
          fields.get(2),
          fields.get(3),
          type.endsWith("s") ? List.class : element,
          element,
          values.isEmpty() ? null : List.of(values.split(" ", -1)),
          // Picocli reads a percent sign as the beginning of a format.
          fields.subList(6, fields.size()).stream().map(line -> line.replace("%", "%%")).toList());
    }
  }

  private static OptionSpec option(List<String> fields) {
    Argument argument = Argument.of(fields);
    return OptionSpec.builder(fields.get(1).split(" ", -1))
        .arity(argument.arity())
        .paramLabel(argument.label())
        .type(argument.type())
        .auxiliaryTypes(argument.element())
        .completionCandidates(argument.values())
        .description(argument.description().toArray(String[]::new))
        .build();
  }

  private static PositionalParamSpec parameter(List<String> fields) {
    Argument argument = Argument.of(fields);
    return PositionalParamSpec.builder()
        .index(fields.get(1))
        .arity(argument.arity())
        .paramLabel(argument.label())
        .type(argument.type())
        .auxiliaryTypes(argument.element())
        .completionCandidates(argument.values())
        .description(argument.description().toArray(String[]::new))
        .build();
  }

  /**
   * Writes what is stored of a command.
   *
   * @param command the command
   * @return lines, each with a line break
   */
  public static String describe(CommandSpec command) {
    StringBuilder lines = new StringBuilder();
    describe(command, 0, lines);
    return lines.toString();
  }

  private static void describe(CommandSpec command, int depth, StringBuilder lines) {
    line(lines, List.of("command", Integer.toString(depth), command.name()));
    for (String each : command.usageMessage().description()) {
      line(lines, List.of("description", each));
    }
    for (String each : command.usageMessage().footer()) {
      line(lines, List.of("footer", each));
    }
    for (OptionSpec each : command.options()) {
      if (!each.inherited() && !each.hidden()) {
        line(lines, fields("option", String.join(" ", each.names()), each));
      }
    }
    for (PositionalParamSpec each : command.positionalParameters()) {
      line(lines, fields("parameter", each.index().toString(), each));
    }
    for (CommandLine each : command.subcommands().values().stream().distinct().toList()) {
      describe(each.getCommandSpec(), depth + 1, lines);
    }
  }

  private static List<String> fields(String kind, String first, ArgSpec argument) {
    List<String> fields = new ArrayList<>(List.of(kind, first));
    fields.add(argument.arity().toString());
    fields.add(argument.paramLabel());
    fields.add(type(argument));
    List<String> values = new ArrayList<>();
    if (argument.completionCandidates() != null) {
      argument.completionCandidates().forEach(values::add);
    }
    fields.add(String.join(" ", values));
    fields.addAll(List.of(argument.description()));
    return fields;
  }

  private static String type(ArgSpec argument) {
    if (argument.arity().max() == 0) {
      return "flag";
    }
    boolean path =
        argument.type() == Path.class
            || (argument.auxiliaryTypes().length > 0 && argument.auxiliaryTypes()[0] == Path.class);
    return (path ? "path" : "word") + (argument.isMultiValue() ? "s" : "");
  }

  private static void line(StringBuilder lines, List<String> fields) {
    lines.append(String.join("\t", fields.stream().map(StoredCommand::escaped).toList()));
    lines.append('\n');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n");
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '\\') {
        char next = text.charAt(++i);
        plain.append(next == 't' ? '\t' : next == 'n' ? '\n' : next);
      } else {
        plain.append(each);
      }
    }
    return plain.toString();
  }
}
