package io.arraywire.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Chromium, which CI must have; without it tests are skipped, with a line that says so.
 *
 * @param directory for its profile and its output
 */
record HeadlessBrowser(Path directory) {
  private static Optional<Path> browser() {
    List<String> names =
        List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(each -> names.stream().map(name -> Path.of(each, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path browserOrSkip() {
    Optional<Path> browser = browser();
    if (browser.isEmpty()) {
      String words = "!!! THE REPORT WAS NOT OPENED IN A BROWSER: install Chromium !!!";
      if (Boolean.parseBoolean(System.getenv("CI"))) {
        fail(words);
      }
      System.err.println(words);
      Assumptions.abort(words);
    }
    return browser.orElseThrow();
  }

  /** Opens a page; returns what the browser writes. */
  String open(Path page, String... options) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(browserOrSkip().toString());
    // A sandbox takes rights that root in a container does not have; the page is our own.
    command.addAll(
        List.of(
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--user-data-dir=" + directory.resolve("profile"),
            "--virtual-time-budget=10000"));
    command.addAll(List.of(options));
    command.add(page.toAbsolutePath().normalize().toUri().toString());
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(90, TimeUnit.SECONDS)).as("the browser is done").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(err)).isZero();
    assertThat(Files.readString(err)).doesNotContain("Uncaught");
    return Files.readString(out);
  }
}
