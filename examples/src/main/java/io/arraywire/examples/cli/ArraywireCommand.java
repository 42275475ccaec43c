package io.arraywire.examples.cli;

import io.arraywire.ArraywireException;
import io.arraywire.examples.report.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code arraywire}: the command that the others are part of. */
@Command(
    name = "arraywire",
    description = {
      "Moves arrays of numbers between Java processes, and shows what each way costs.",
      "One more command, bench, is built on its first use: see 'arraywire bench --help'."
    },
    mixinStandardHelpOptions = true,
    scope = ScopeType.INHERIT,
    versionProvider = Version.class,
    usageHelpAutoWidth = true,
    sortOptions = false,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:the transfer failed; one line on standard error says why",
      "2:the command line is wrong",
      "130:ended with Ctrl-C"
    })
public final class ArraywireCommand implements Runnable {
  private static final int USAGE = 2;
  private static final int FAILED = 1;
  private static final String JSON = "--json";

  /** It is of another module, which the launcher builds when it is asked for. */
  static final String BENCH = "bench";

  @Spec private CommandSpec spec;

  @Option(
      names = "--verbose",
      scope = ScopeType.INHERIT,
      description = "Print what the libraries log, and the stack of a failure.")
  private boolean verbose;

  private ArraywireCommand() {}

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }

  /**
   * Whether to tell what the libraries log.
   *
   * @param command a command that is part of this one, or stands alone
   * @return true with {@code --verbose}
   */
  public static boolean verbose(CommandSpec command) {
    return command.root().userObject() instanceof ArraywireCommand root && root.verbose;
  }

  /**
   * Runs a command.
   *
   * @param console where it writes
   * @param arguments the command line
   * @return the exit status
   */
  public static int execute(Console console, String... arguments) {
    return execute(console, List.of(), arguments);
  }

  /**
   * Runs a command, which may be one of another module.
   *
   * @param console where it writes
   * @param more commands to have beside those of this module, annotated as picocli wants it
   * @param arguments the command line
   * @return the exit status
   */
  public static int execute(Console console, List<?> more, String... arguments) {
    CommandLine line = line(console, more);
    try {
      return line.execute(arguments);
    } catch (OutOfMemoryError e) {
      ArraywireCommand root = line.getCommand();
      return root.failed(console, e, line);
    }
  }

  /**
   * All commands, to look at or to run.
   *
   * @param console where they write
   * @param more commands to have beside those of this module, annotated as picocli wants it
   * @return the root, with the others below
   */
  public static CommandLine line(Console console, List<?> more) {
    ArraywireCommand root = new ArraywireCommand();
    CommandLine line =
        new CommandLine(root)
            .addSubcommand(new DemoCommand(console))
            .addSubcommand(new ReceiveCommand(console))
            .addSubcommand(new SendCommand(console))
            .addSubcommand(new ToKafkaCommand(console))
            .addSubcommand(new FromKafkaCommand(console))
            .addSubcommand(new DoctorCommand(console))
            .addSubcommand(new CompletionCommand(console))
            .addSubcommand(new ManPageCommand(console))
            .addSubcommand(new CommandLine.HelpCommand());
    more.forEach(line::addSubcommand);
    Synopsis.shorten(line);
    // A directory may be called as a command is: bench --report report.
    line.setAllowSubcommandsAsOptionParameters(true);
    line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    // Picocli asks System.console(), which no longer tells from JDK 22 on.
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(
            console.colours() ? CommandLine.Help.Ansi.ON : CommandLine.Help.Ansi.OFF));
    line.setParameterExceptionHandler((e, args) -> wrongUsage(console, e, args));
    line.setExecutionExceptionHandler((e, command, result) -> root.failed(console, e, command));
    line.setExecutionStrategy((ParseResult result) -> {
      LogLines.install(console, root.verbose);
      return new CommandLine.RunLast().execute(result);
    });
    return line;
  }

  private static int wrongUsage(Console console, ParameterException e, String... arguments) {
    String command = e.getCommandLine().getCommandSpec().qualifiedName();
    // An option that is missing may be one that is misspelt.
    String misspelt = Misspelling.words(e, List.of(arguments));
    String words = misspelt == null ? words(e) : misspelt;
    if (List.of(arguments).contains(JSON) && speaksJson(e.getCommandLine())) {
      tell(console, command, USAGE, words, null);
    }
    console.complain(command + ": " + words + " (see '" + command + " --help')");
    return USAGE;
  }

  /** In place of picocli's own words, which count arguments from those of the commands before. */
  private static String words(ParameterException e) {
    if (!(e instanceof UnmatchedArgumentException unmatched)
        || unmatched.isUnknownOption()
        || unmatched.getUnmatched().isEmpty()) {
      return String.valueOf(e.getMessage());
    }
    String word = unmatched.getUnmatched().get(0);
    Set<String> commands = new TreeSet<>(e.getCommandLine().getSubcommands().keySet());
    if (commands.isEmpty()) {
      return "one argument too many: '" + word + "'";
    }
    if (e.getCommandLine().getParent() == null) {
      commands.add(BENCH);
    }
    String meant = Misspelling.nearest(word, commands);
    return "no such command: '" + word + (meant == null ? "'" : "'; did you mean '" + meant + "'?");
  }

  /** Whether the option stands for the form of what a command prints, and not for a file. */
  private static boolean speaksJson(CommandLine command) {
    OptionSpec json = command.getCommandSpec().findOption(JSON);
    return json != null && json.arity().max() == 0;
  }

  /** For programs, which read standard output and no sentences. */
  private static void tell(
      Console console, String command, int status, String message, @Nullable Throwable failure) {
    ArraywireException known = failure instanceof ArraywireException arraywire ? arraywire : null;
    console.print(
        Json.text(
            Json.object(
                "event",
                "failed",
                "command",
                command,
                "status",
                status,
                "code",
                known == null ? null : known.code(),
                "message",
                message,
                "facts",
                known == null ? Map.of() : known.facts())));
  }

  private int failed(Console console, Throwable e, CommandLine command) {
    String name = command.getCommandSpec().qualifiedName();
    String words = Complaints.words(e);
    ParseResult parsed = command.getParseResult();
    if (parsed != null && parsed.hasMatchedOption(JSON) && speaksJson(command)) {
      Console lines =
          command.getCommand() instanceof ReceiveCommand receive ? receive.lines() : console;
      tell(lines, name, FAILED, words, Complaints.reason(e));
    }
    console.complain(name + ": " + words);
    if (verbose) {
      console.trace(e);
    }
    return FAILED;
  }
}
