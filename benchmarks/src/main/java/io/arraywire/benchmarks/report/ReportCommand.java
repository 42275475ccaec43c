package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.FiguresFile;
import io.arraywire.examples.cli.Console;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code arraywire bench report}. */
@Command(
    name = "report",
    description =
        "Makes one page of HTML of what was measured, with tables and charts, and each chart as SVG"
            + " and PNG.")
public final class ReportCommand implements Callable<Integer> {
  private final Console console;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "What 'arraywire bench --json' has written, or JMH with '-rf json'; compressed with gzip"
              + " or not. Several become sections of one page.")
  private List<Path> paths;

  @Option(
      names = "--out",
      paramLabel = "DIRECTORY",
      required = true,
      description = "Where report.html and the charts go. Files of these names are replaced.")
  private Path out;

  /**
   * Makes the command.
   *
   * @param console where it writes
   */
  public ReportCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws IOException {
    write(paths, out, console);
    return 0;
  }

  /**
   * Makes the page and the charts, and says where.
   *
   * @param figures what {@code bench --json} or JMH has written
   * @param directory where they go
   * @param console where it is said
   * @throws IOException if a file cannot be read or written
   */
  public static void write(List<Path> figures, Path directory, Console console) throws IOException {
    List<FiguresFile> files = new ArrayList<>();
    for (Path each : figures) {
      files.add(FiguresFile.read(each));
    }
    List<Path> written = Report.write(files, directory);
    console.print("Report: " + written.get(0));
    console.print("Charts: " + (written.size() - 1) / 2 + ", as SVG and PNG, beside it");
  }
}
