package io.arraywire.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.chaos.delivery.DeliveryChecker;
import io.arraywire.chaos.delivery.DeliveryReceiver;
import io.arraywire.chaos.delivery.DeliverySender;
import io.arraywire.chaos.delivery.DeliveryTotals;
import io.arraywire.chaos.delivery.DeliveryVerdict;
import io.arraywire.testkit.TestAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Starts delivery senders and receivers that share arguments, and judges their logs. */
final class DeliveryPrograms implements AutoCloseable {
  private final Path directory;
  private final boolean quiet;
  private final List<String> flags;
  private final List<String> shared;
  private final List<DeliveryProgram> all;

  private DeliveryPrograms(Path directory, boolean quiet, List<String> flags, String... shared) {
    this(directory, quiet, flags, List.of(shared), new ArrayList<>());
  }

  private DeliveryPrograms(
      Path directory,
      boolean quiet,
      List<String> flags,
      List<String> shared,
      List<DeliveryProgram> all) {
    this.directory = directory;
    this.quiet = quiet;
    this.flags = flags;
    this.shared = shared;
    this.all = all;
  }

  /** Programs that say what they do, each into a file. */
  static DeliveryPrograms of(Path directory, String... shared) {
    return new DeliveryPrograms(directory, false, List.of(), shared);
  }

  /** Programs that say only what they die of, where connections break all the time. */
  static DeliveryPrograms quiet(Path directory, String... shared) {
    return new DeliveryPrograms(directory, true, List.of(), shared);
  }

  /** Likewise, and for those that live a moment only: they start fast, and run the slower. */
  static DeliveryPrograms light(Path directory, String... shared) {
    return new DeliveryPrograms(
        directory, true, List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"), shared);
  }

  /** The same over TLS, where both sides show a certificate for this host and some addresses. */
  DeliveryPrograms overTls(String... addresses) {
    TestAuthority authority = TestAuthority.named("arraywire test");
    authority.write(directory.resolve("ca.pem"));
    List<String> names = new ArrayList<>(List.of("localhost", "127.0.0.1", "127.0.0.2"));
    names.addAll(List.of(addresses));
    TestAuthority.Identity own = authority.issue("both", names.toArray(String[]::new));
    own.writeCertificate(directory.resolve("own.pem"));
    own.writeKey(directory.resolve("own.key"));
    List<String> more = new ArrayList<>(shared);
    more.add("tls=" + directory);
    return new DeliveryPrograms(directory, quiet, flags, more, all);
  }

  /** The same with more flags of the JVM; what either starts is judged by both. */
  DeliveryPrograms with(String... more) {
    List<String> longer = new ArrayList<>(flags);
    longer.addAll(List.of(more));
    return new DeliveryPrograms(directory, quiet, longer, shared, all);
  }

  /**
   * Starts a receiver.
   *
   * @param host what goes before the command, perhaps nothing
   */
  DeliveryProgram receiver(List<String> host, String... arguments) throws IOException {
    return start(host, DeliveryReceiver.class, arguments);
  }

  /** Starts a sender, likewise. */
  DeliveryProgram sender(List<String> host, String... arguments) throws IOException {
    return start(host, DeliverySender.class, arguments);
  }

  /** Starts a sender that is another program, likewise. */
  DeliveryProgram sender(Class<?> program, String... arguments) throws IOException {
    return start(List.of(), program, arguments);
  }

  private DeliveryProgram start(List<String> host, Class<?> program, String... arguments)
      throws IOException {
    Path log = directory.resolve("log-" + all.size());
    Path words = directory.resolve("words-" + all.size());
    List<String> command = new ArrayList<>(host);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC"));
    // The last one of a kind counts.
    command.addAll(flags);
    command.addAll(
        List.of(
            "-Djava.util.logging.config.file=" + logging(),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName(),
            "transport=nio",
            "log=" + log));
    command.addAll(shared);
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.redirectError(
        quiet ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.to(words.toFile()));
    DeliveryProgram started = new DeliveryProgram(builder.start(), log, words);
    all.add(started);
    return started;
  }

  private Path logging() throws IOException {
    return Files.writeString(
        directory.resolve("logging.properties"),
        quiet
            ? ".level=SEVERE\n"
            : """
            .level=INFO
            io.arraywire.level=FINE
            handlers=java.util.logging.ConsoleHandler
            java.util.logging.ConsoleHandler.level=FINE
            java.util.logging.SimpleFormatter.format=%1$tT.%1$tL %5$s%6$s%n
            """);
  }

  /** Judges all logs. Ask when all programs have ended. */
  DeliveryVerdict verdict() throws IOException {
    DeliveryChecker checker = DeliveryChecker.create();
    for (DeliveryProgram each : all) {
      // One that was killed while its JVM began has logged nothing.
      if (Files.exists(each.log())) {
        checker.add(each.log());
      }
    }
    return checker.verdict();
  }

  /**
   * Waits for the end of a sender and ends its receiver; every array must have been acknowledged,
   * and delivered once and in order.
   *
   * @return what the sender says at its end
   */
  String assertEverythingArrived(
      DeliveryProgram sender, DeliveryProgram receiver, Duration patience) throws Exception {
    sender.awaitEnd(patience);
    String summary = sender.line();
    System.out.println(summary);
    receiver.end();
    DeliveryVerdict verdict = verdict();
    System.out.println(verdict);
    DeliveryTotals totals = verdict.assertHolds().totals();
    assertThat(totals.ok()).isEqualTo(totals.invoked());
    assertThat(totals.delivered()).isEqualTo(totals.invoked());
    return summary;
  }

  /** Kills those that still run, as they do where a test failed. */
  @Override
  public void close() {
    all.forEach(each -> each.process().destroyForcibly());
  }
}
