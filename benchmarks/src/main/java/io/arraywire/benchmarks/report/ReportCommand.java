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
        "Makes one page of HTML of what was measured, with conclusions, charts and tables. It needs"
            + " no other file and no network.")
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
      description = "Where report.html goes. A file of this name is replaced.")
  private Path out;

  @Option(
      names = "--png",
      description = "Draw each chart as PNG, too, for pages that run no script.")
  private boolean png;

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
    write(paths, out, png, console);
    return 0;
  }

  /**
   * Makes the page, and pictures of the charts if they are wanted, and says where.
   *
   * @param figures what {@code bench --json} or JMH has written
   * @param directory where they go
   * @param png whether each chart is drawn as PNG, too
   * @param console where it is said
   * @throws IOException if a file cannot be read or written
   */
  public static void write(List<Path> figures, Path directory, boolean png, Console console)
      throws IOException {
    List<FiguresFile> files = new ArrayList<>();
    for (Path each : figures) {
      files.add(FiguresFile.read(each));
    }
    List<Path> written = Report.write(files, directory, png);
    console.print("Report: " + written.get(0));
    if (png) {
      console.print("Charts: " + (written.size() - 1) + ", as PNG, beside it");
    }
  }
}
