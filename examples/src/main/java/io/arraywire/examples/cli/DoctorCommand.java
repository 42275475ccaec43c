package io.arraywire.examples.cli;

import io.arraywire.examples.report.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code arraywire doctor}. */
@Command(
    name = "doctor",
    description =
        "Looks at this machine and says what is active, what would make transfers faster, and how."
            + " Changes nothing.",
    footer = {
      "",
      "It sends one array of 1 MiB to itself over loopback, and reads what the kernel tells of"
          + " sockets, processors and limits. 'ok' needs nothing. Below 'improve' a line with -> says"
          + " what to do. 'unknown' cannot be read on this system. The status is 0, whatever it"
          + " finds."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final int NAME_COLUMNS = 20;

  private final Console console;

  @Option(names = "--json", description = "Write a JSON line for each finding instead of text.")
  private boolean json;

  DoctorCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    List<Finding> findings =
        new Doctor(
                new SystemFiles(Path.of("/")),
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory())
            .findings();
    findings.forEach(this::print);
    if (!json) {
      long improvable =
          findings.stream().filter(each -> each.grade() == Finding.Grade.IMPROVABLE).count();
      console.print(
          improvable == 0
              ? "nothing to improve"
              : improvable
                  + " of "
                  + findings.size()
                  + " make transfers slower or set a low limit; the lines with -> say what to do");
    }
    return 0;
  }

  private void print(Finding finding) {
    if (json) {
      console.print(
          Json.text(
              Json.object(
                  "event",
                  "finding",
                  "name",
                  finding.name(),
                  "grade",
                  finding.grade().word(),
                  "found",
                  finding.found(),
                  "cure",
                  finding.cure())));
      return;
    }
    String mark =
        switch (finding.grade()) {
          case OK -> console.green("ok     ");
          case IMPROVABLE -> console.yellow("improve");
          case UNKNOWN -> "unknown";
        };
    String name = finding.name() + " ".repeat(Math.max(1, NAME_COLUMNS - finding.name().length()));
    console.print(mark + "  " + name + finding.found());
    if (finding.cure() != null) {
      console.print(" ".repeat(9 + NAME_COLUMNS) + "-> " + finding.cure());
    }
  }
}
