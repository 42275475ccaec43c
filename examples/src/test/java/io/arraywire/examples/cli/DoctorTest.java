package io.arraywire.examples.cli;

import static io.arraywire.examples.cli.Outcome.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code arraywire doctor}: on this machine, and on machines of files. */
class DoctorTest {
  @TempDir Path root;

  private void file(String path, String text) throws IOException {
    Path file = root.resolve(path.substring(1));
    Files.createDirectories(file.getParent());
    Files.writeString(file, text + "\n");
  }

  private Map<String, Finding> findings(int jdk, int processors, long heap) throws Exception {
    return new Doctor(new SystemFiles(root), jdk, processors, heap)
        .findings().stream().collect(Collectors.toMap(Finding::name, Function.identity()));
  }

  private static void assertCured(Finding finding, String found, String cure) {
    assertThat(finding.grade()).as(finding.toString()).isEqualTo(Finding.Grade.IMPROVABLE);
    assertThat(finding.found()).contains(found);
    assertThat(finding.cure()).contains(cure);
  }

  @Test
  void aPoorMachineIsToldWhatWouldHelp() throws Exception {
    file("/proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t1048576");
    file("/proc/sys/net/ipv4/tcp_wmem", "4096\t16384\t4194304");
    file("/proc/self/cgroup", "0::/app");
    file("/sys/fs/cgroup/app/cpu.max", "150000 100000");
    file("/sys/fs/cgroup/app/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 7");
    file("/sys/fs/cgroup/app/memory.max", "1073741824");
    file("/proc/self/limits", "Limit  Soft  Hard  Units\nMax open files  1024  4096  files");
    file("/proc/stat", "cpu  60 0 20 10 0 0 0 10 0 0");
    file("/proc/cpuinfo", "processor : 0\nflags\t\t: fpu sse2");
    Map<String, Finding> found = findings(17, 1, 1L << 30);

    assertCured(found.get("JDK"), "each side copies an array once", "JDK 22 or later");
    assertCured(found.get("socket buffers"), "up to 1 MiB to receive, 4 MiB to send", "sysctl -w");
    assertCured(
        found.get("processors"),
        "1 for this JVM, the container may use 1.50: at that limit its threads were stopped 7 times",
        "raise the CPU limit");
    assertCured(found.get("memory"), "1 GiB of heap", "-XX:MaxRAMPercentage=60");
    assertCured(found.get("file descriptors"), "up to 1024", "ulimit -n 65536");
    assertCured(found.get("stolen time"), "10.0 %", "processors of its own");
    assertCured(found.get("TLS"), "no instructions for AES", "cpu: host");
  }

  @Test
  void aGoodMachineIsLeftAlone() throws Exception {
    file("/proc/sys/net/ipv4/tcp_rmem", "4096 131072 6291456");
    file("/proc/sys/net/ipv4/tcp_wmem", "4096 16384 4194304");
    file("/proc/self/cgroup", "0::/");
    file("/sys/fs/cgroup/cpu.max", "max 100000");
    file("/sys/fs/cgroup/memory.max", "max");
    file("/proc/self/limits", "Max open files            unlimited            unlimited   files");
    file("/proc/stat", "cpu  60 0 20 10 0 0 0 1 0 0");
    file("/proc/cpuinfo", "flags : fpu aes sse2");
    Map<String, Finding> found = findings(25, 8, 1L << 30);

    assertThat(
            List.of(
                "JDK",
                "socket buffers",
                "processors",
                "memory",
                "file descriptors",
                "stolen time",
                "TLS"))
        .allSatisfy(
            name -> assertThat(found.get(name).grade()).as(name).isEqualTo(Finding.Grade.OK));
  }

  /** Another system has none of these files. */
  @Test
  void whatTheSystemDoesNotSayIsUnknown() throws Exception {
    assertThat(findings(25, 8, 1L << 30).values())
        .filteredOn(each -> each.grade() == Finding.Grade.UNKNOWN)
        .extracting(Finding::name)
        .contains("socket buffers", "stolen time", "file descriptors", "TLS");
  }

  @Test
  void whatAConnectionSaysOfItselfIsReadAsItIsMeant() {
    Doctor old = new Doctor(new SystemFiles(root), 17, 2, 1);
    Doctor now = new Doctor(new SystemFiles(root), 25, 2, 1);

    assertThat(now.zeroCopy("large arrays of at least 65536 bytes without staging, open").grade())
        .isEqualTo(Finding.Grade.OK);
    assertCured(
        now.zeroCopy("large arrays staged: native access is not granted: --enable-x, open"),
        "not active: native access is not granted",
        "--enable-native-access");
    assertCured(
        now.zeroCopy("large arrays staged: this build lacks its part for JDK 22, open"),
        "lacks its part",
        "mvn clean install");
    assertThat(now.zeroCopy("large arrays staged: this system is none of those, open"))
        .satisfies(each -> assertThat(each.grade()).isEqualTo(Finding.Grade.OK))
        .satisfies(each -> assertThat(each.found()).contains("not possible here"));
    assertCured(
        old.zeroCopy("large arrays staged: JDK 17 cannot, JDK 22 can, open"),
        "JDK 17 cannot",
        "JDK 22 or later");
    assertCured(
        old.congestionControl("large arrays staged: x, paced by TCP bbr (y; or z), open"),
        "bbr is active and holds back connections within this host",
        "--add-opens");
    assertThat(now.congestionControl("without staging, TCP reno in place of bbr, open").found())
        .startsWith("bbr is active; within this host Arraywire uses reno instead");
  }

  @Test
  void theCommandTellsOfThisMachine() {
    Outcome text = run("doctor");
    assertThat(text.status()).as(text.toString()).isZero();
    assertThat(text.err()).isEmpty();
    assertThat(text.out().lines().filter(line -> line.matches("(ok     |improve|unknown)  \\S.*")))
        .hasSize(9)
        .anyMatch(line -> line.contains("zero-copy"))
        .anyMatch(line -> line.contains("congestion control"));
    assertThat(text.out()).doesNotContain("\u001b", "no connection within this host");
    assertThat(text.out().lines().reduce((a, b) -> b).orElseThrow())
        .matches(
            "\\d of 9 make transfers slower or set a low limit; the lines with -> say what to do"
                + "|nothing to improve");

    assertThat(run("doctor", "--json").out().lines())
        .hasSize(9)
        .allMatch(line ->
            line.matches(
                "\\{\"event\":\"finding\",\"name\":\"[A-Za-z"
                    + " -]+\",\"grade\":\"(improve|ok|unknown)\","
                    + "\"found\":\".+\",\"cure\":(null|\".+\")\\}"))
        .allMatch(line -> line.contains("\"improve\"") != line.contains("\"cure\":null"));
  }
}
