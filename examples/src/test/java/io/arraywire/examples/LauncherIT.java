package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The script at the root, in a tree of its own with a Maven and a Java that only say what they were
 * asked: what is run is what is committed, what it runs is not.
 */
@DisabledOnOs(OS.WINDOWS)
@Tag("ci")
@Tag("newest")
class LauncherIT {
  @TempDir Path dir;

  private Path root;
  private Path bin;

  @BeforeEach
  void makeATree() throws IOException {
    root = Files.createDirectories(dir.resolve("a checkout"));
    Path script = Path.of(System.getProperty("basedir", ".")).toAbsolutePath().normalize();
    Files.copy(
        script.resolveSibling("arraywire"),
        root.resolve("arraywire"),
        StandardCopyOption.COPY_ATTRIBUTES);
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    for (String module :
        List.of(
            "transport-api",
            "transport-engine",
            "transport-stream",
            "transport-nio",
            "transport-testkit",
            "examples")) {
      Files.createDirectories(root.resolve(module + "/src/main"));
      Files.writeString(root.resolve(module + "/pom.xml"), "<project/>");
      Files.writeString(root.resolve(module + "/src/main/A.java"), "");
    }
    ageEverything();

    bin = Files.createDirectories(dir.resolve("bin"));
    for (String tool :
        List.of(
            "sh",
            "find",
            "grep",
            "sed",
            "dirname",
            "readlink",
            "touch",
            "mkdir",
            "mv",
            "cat",
            "rm",
            "sleep")) {
      for (String place : List.of("/usr/bin/", "/bin/")) {
        if (Files.exists(Path.of(place + tool)) && !Files.exists(bin.resolve(tool))) {
          program(bin.resolve(tool), "exec " + place + tool + " \"$@\"\n");
        }
      }
    }
    fake("java", 17);
    program(
        bin.resolve("mvn"),
        """
        echo "$*" >>"%s/mvn.log"
        pwd >>"%s/mvn.log"
        [ ! -f "%s/broken" ] || { echo "[ERROR] it does not compile"; exit 1; }
        sleep 1
        mkdir -p examples/target/lib
        [ -f examples/target/arraywire-examples-0.1.0-SNAPSHOT.jar ] ||
          touch examples/target/arraywire-examples-0.1.0-SNAPSHOT.jar
        """
            .formatted(dir, dir, dir));
  }

  private void fake(String name, int version) throws IOException {
    program(
        bin.resolve(name),
        """
        if [ "$1" = -version ]; then
          echo 'openjdk version "%s" 2025-04-15' >&2
          exit
        fi
        echo "pid: $$"
        for word; do echo "word: $word"; done
        exit 7
        """
            .formatted(version == 8 ? "1.8.0_412" : version + ".0.15"));
  }

  private static void program(Path file, String body) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + body);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Sets the time of every file back, so that those made from now on are newer. */
  private void ageEverything() throws IOException {
    FileTime before = FileTime.from(Instant.now().minusSeconds(100));
    try (var files = Files.walk(root)) {
      for (Path file : files.toList()) {
        Files.setLastModifiedTime(file, before);
      }
    }
  }

  private CliProcess launch(Map<String, String> environment, Path script, Object... arguments)
      throws IOException {
    Map<String, String> all = new HashMap<>();
    all.put("PATH", bin.toString());
    all.put("JAVA_HOME", "");
    all.putAll(environment);
    List<Object> command = new ArrayList<>(List.of(script));
    command.addAll(List.of(arguments));
    return CliProcess.start(all, command.toArray());
  }

  /** Runs it to its end, which is the fake Java's. */
  private CliProcess run(Object... arguments) throws Exception {
    try (CliProcess process = launch(Map.of(), root.resolve("arraywire"), arguments)) {
      assertThat(process.awaitExit()).as(process.toString()).isEqualTo(7);
      return process;
    }
  }

  private void fails(Map<String, String> environment, String part) throws Exception {
    try (CliProcess process = launch(environment, root.resolve("arraywire"))) {
      assertThat(process.awaitExit()).as(process.toString()).isEqualTo(1);
      assertThat(process.err()).as(process.toString()).hasSize(1);
      assertThat(process.err().get(0)).startsWith("arraywire: ").contains(part);
      assertThat(process.out()).isEmpty();
    }
  }

  private long builds() throws IOException {
    Path log = dir.resolve("mvn.log");
    return Files.exists(log) ? Files.readAllLines(log).size() / 2 : 0;
  }

  @Test
  void buildsOnceAndPassesEveryWord() throws Exception {
    CliProcess first = run("send", "a b", "*", "", "it's \"quoted\"");

    assertThat(first.err())
        .containsExactly("arraywire: building (first run, this takes a minute) ...");
    assertThat(first.out())
        .endsWith(
            "word: -jar",
            "word: " + root.resolve("examples/target/arraywire-examples-0.1.0-SNAPSHOT.jar"),
            "word: send",
            "word: a b",
            "word: *",
            "word: ",
            "word: it's \"quoted\"");
    assertThat(Files.readAllLines(dir.resolve("mvn.log")))
        .containsExactly(
            "-B -q -Dmaven.test.skip=true -P !jdk21-checks -pl examples -am package",
            root.toRealPath().toString());

    assertThat(run("--version").err()).isEmpty();
    assertThat(builds()).isEqualTo(1);
  }

  @Test
  void buildsAgainWhenSourcesAreNewerOrGone() throws Exception {
    run();
    Files.writeString(root.resolve("transport-api/src/main/B.java"), "");
    assertThat(run().err()).containsExactly("arraywire: building (sources have changed) ...");
    assertThat(run().err()).isEmpty();

    ageEverything();
    assertThat(run().err()).as("everything is equally old").isEmpty();
    Files.delete(root.resolve("transport-api/src/main/B.java"));
    assertThat(run().err()).containsExactly("arraywire: building (sources have changed) ...");
    Files.writeString(root.resolve("examples/pom.xml"), "<project></project>");
    run();
    assertThat(builds()).isEqualTo(4);

    Files.writeString(root.resolve("transport-api/src/A.txt"), "no source of the command");
    assertThat(run().err()).isEmpty();
  }

  @Test
  void aJarThatMavenMadeByHandIsTaken() throws Exception {
    Files.createDirectories(root.resolve("examples/target/lib"));
    Files.createFile(root.resolve("examples/target/arraywire-examples-0.1.0-SNAPSHOT.jar"));

    assertThat(run().err()).isEmpty();
    assertThat(builds()).isZero();
  }

  /** Its module takes minutes to build; what lists all commands has a description of it. */
  @Test
  void onlyBenchIsRunByTheModuleThatHasIt() throws Exception {
    Path jar = root.toRealPath().resolve("benchmarks/target/benchmarks.jar");
    Files.createDirectories(jar.getParent());
    Files.createFile(jar);
    assertThat(run("bench").out())
        .endsWith(
            "word: -cp",
            "word: " + jar,
            "word: io.arraywire.benchmarks.bench.Bench",
            "word: bench");
    assertThat(builds()).isZero();
    for (String command : List.of("generate-completion", "generate-man-page")) {
      assertThat(run(command).out())
          .endsWith("word: " + command)
          .noneMatch(word -> word.contains("benchmarks"));
    }
    assertThat(builds()).isOne();
  }

  @Test
  void runsFromAnywhereAndThroughLinks() throws Exception {
    Path links = Files.createDirectories(dir.resolve("links"));
    Files.createSymbolicLink(links.resolve("one"), Path.of("../a checkout/arraywire"));
    Path two = Files.createSymbolicLink(dir.resolve("two"), links.resolve("one"));

    try (CliProcess process = launch(Map.of(), two, "x")) {
      assertThat(process.awaitExit()).as(process.toString()).isEqualTo(7);
      assertThat(process.out()).endsWith("word: x");
    }
    Path loop = Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
    assertThat(loop).isSymbolicLink();
  }

  /** A signal to the process is a signal to Java. */
  @Test
  void becomesTheJavaProcess() throws Exception {
    try (CliProcess process = launch(Map.of(), root.resolve("arraywire"))) {
      process.awaitExit();
      assertThat(process.out()).startsWith("pid: " + process.process().pid());
    }
  }

  @Test
  void passesJavaOptions() throws Exception {
    try (CliProcess process =
        launch(Map.of("ARRAYWIRE_JAVA_OPTS", "-Xmx8g  -Dx=y"), root.resolve("arraywire"), "demo")) {
      process.awaitExit();
      assertThat(process.out())
          .contains(
              "word: -Xmx8g",
              "word: -Dx=y",
              "word: -Darraywire.terminal=false",
              "word: -Darraywire.demo.out=" + root.toRealPath().resolve("examples/target/demo"));
    }
  }

  @Test
  void takesJavaHome() throws Exception {
    Path home = Files.createDirectories(dir.resolve("a jdk/bin")).getParent();
    Files.move(bin.resolve("java"), home.resolve("bin/java"));
    try (CliProcess process =
        launch(Map.of("JAVA_HOME", home.toString()), root.resolve("arraywire"))) {
      assertThat(process.awaitExit()).as(process.toString()).isEqualTo(7);
    }
    fails(Map.of("JAVA_HOME", dir.toString()), "JAVA_HOME has no bin/java");
  }

  /** A build by an older JDK lacks the part for JDK 22, which a newer one adds if it can. */
  @Test
  void buildsAgainForANewerJdkThatCanBuildMore() throws Exception {
    run();
    assertThat(builds()).isEqualTo(1);
    fake("java", 25);
    Files.setLastModifiedTime(
        root.resolve(".arraywire/java"), FileTime.from(Instant.now().minusSeconds(50)));
    run();
    assertThat(builds()).as("without a compiler").isEqualTo(1);
    program(bin.resolve("javac"), "exit 0\n");
    assertThat(run().err()).containsExactly("arraywire: building (for this JDK 25) ...");
    assertThat(builds()).isEqualTo(2);
    run();
    assertThat(builds()).as("it was tried").isEqualTo(2);

    Files.delete(root.resolve("examples/target/.arraywire-built.jdk"));
    Files.writeString(
        root.resolve("examples/target/lib/arraywire-nio-0.1.0-SNAPSHOT.jar"),
        "PK META-INF/versions/22/io/arraywire/nio/NativeSocket.class");
    run();
    assertThat(builds()).as("the part is there").isEqualTo(2);
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    Files.delete(bin.resolve("mvn"));
    fails(Map.of(), "no mvn found; install Maven");
    Files.delete(bin.resolve("java"));
    fails(Map.of(), "no java found; install a JDK 17 or newer");
    fake("java", 8);
    fails(Map.of(), "Java is too old; set JAVA_HOME to a JDK 17 or newer (java=");
    fake("java", 11);
    fails(Map.of(), "version=11)");
    assertThat(builds()).isZero();
  }

  /** What was checked once is not asked again, but a Java that changed is. */
  @Test
  void noticesAnotherJava() throws Exception {
    run();
    assertThat(root.resolve(".arraywire/java")).exists();
    Files.setLastModifiedTime(
        root.resolve(".arraywire/java"), FileTime.from(Instant.now().minusSeconds(50)));
    fake("java", 11);
    fails(Map.of(), "version=11)");
  }

  @Test
  void showsAFailedBuildAndTriesAgain() throws Exception {
    Files.createFile(dir.resolve("broken"));
    try (CliProcess process = launch(Map.of(), root.resolve("arraywire"))) {
      assertThat(process.awaitExit()).isEqualTo(1);
      assertThat(process.err())
          .hasSize(3)
          .contains("[ERROR] it does not compile")
          .anySatisfy(line -> assertThat(line).startsWith("arraywire: the build failed"));
    }
    assertThat(root.resolve(".arraywire/build.lock")).doesNotExist();
    Files.delete(dir.resolve("broken"));
    run();
  }

  /** A receiver and a sender started at once on a fresh clone. */
  @Test
  void twoAtOnceBuildOnce() throws Exception {
    try (CliProcess one = launch(Map.of(), root.resolve("arraywire"));
        CliProcess two = launch(Map.of(), root.resolve("arraywire"))) {
      assertThat(one.awaitExit()).as(one.toString()).isEqualTo(7);
      assertThat(two.awaitExit()).as(two.toString()).isEqualTo(7);
    }
    assertThat(builds()).isEqualTo(1);
  }

  /** The other build ends between the attempt to take its lock and the look at it. */
  @Test
  void aLockThatIsGoneMeanwhileIsTaken() throws Exception {
    refuseLocks("[ ! -f \"%1$s/refused\" ]");
    run();
    assertThat(dir.resolve("refused")).exists();
  }

  /** As on a disk that is full. */
  @Test
  void aLockThatCannotBeMadeIsSaidToBe() throws Exception {
    refuseLocks("true");
    fails(Map.of(), "cannot write to this directory");
    assertThat(builds()).isZero();
  }

  /** Has {@code mkdir} fail for the lock while a condition of the shell holds. */
  private void refuseLocks(String condition) throws IOException {
    Files.delete(bin.resolve("mkdir"));
    program(
        bin.resolve("mkdir"),
        """
        case "$1" in *build.lock)
          if %2$s; then touch "%1$s/refused"; exit 1; fi
        esac
        PATH=/usr/bin:/bin exec mkdir "$@"
        """
            .formatted(dir, condition.formatted(dir)));
  }

  @Test
  void aLockThatWasLeftBehindIsTaken() throws Exception {
    Process gone = new ProcessBuilder("sh", "-c", "exit 0").start();
    gone.waitFor();
    Path lock = Files.createDirectories(root.resolve(".arraywire/build.lock"));
    Files.writeString(lock.resolve("pid"), Long.toString(gone.pid()));

    run();
    assertThat(lock).doesNotExist();
  }
}
