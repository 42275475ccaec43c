package io.arraywire.benchmarks.report;

import io.arraywire.benchmarks.result.BenchFile;
import io.arraywire.benchmarks.result.FiguresFile;
import io.arraywire.benchmarks.result.JmhFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The figures that the repository keeps. To read a file takes up to a second, so each is read once.
 */
final class PublishedReports {
  static final Path FOLDER = Path.of("..", "docs", "reports");
  private static final String ENDING = ".json.gz";
  private static final Map<Path, FiguresFile> READ = new HashMap<>();

  private PublishedReports() {}

  /** In the order of their names. */
  static List<FiguresFile> all() throws IOException {
    List<FiguresFile> files = new ArrayList<>();
    try (Stream<Path> paths = Files.list(FOLDER)) {
      for (Path path : paths.filter(each -> each.toString().endsWith(ENDING)).sorted().toList()) {
        files.add(read(path));
      }
    }
    return files;
  }

  /** One of those that {@code bench} made, such as {@code loopback}. */
  static BenchFile bench(String name) throws IOException {
    return (BenchFile) read(FOLDER.resolve(name + ENDING));
  }

  /** One of those that JMH made. */
  static JmhFile jmh(String name) throws IOException {
    return (JmhFile) read(FOLDER.resolve(name + ENDING));
  }

  private static synchronized FiguresFile read(Path path) throws IOException {
    FiguresFile file = READ.get(path);
    if (file == null) {
      file = FiguresFile.read(path);
      READ.put(path, file);
    }
    return file;
  }
}
