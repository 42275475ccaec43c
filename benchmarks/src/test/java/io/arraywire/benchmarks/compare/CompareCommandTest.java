package io.arraywire.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.benchmarks.RecordedConsole;
import io.arraywire.benchmarks.result.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  private static final double[] WIDE = {600, 1400, 1000, 700, 1300, 900, 1100};

  @TempDir private Path directory;

  private final RecordedConsole console = new RecordedConsole();

  private int run(Object... arguments) {
    return console.run(new CompareCommand(console.console()), "compare", arguments);
  }

  /** What it says of nio. */
  private String verdict(double[] baselineB, double[] nanosB) throws IOException {
    Path a = Samples.file(directory.resolve("a.json"), "nio", Samples.ROUNDS, Samples.times(0.5));
    Path b = Samples.file(directory.resolve("b.json"), "nio", baselineB, nanosB);
    assertThat(run(a, b)).isZero();
    assertThat(console.err()).isEmpty();
    return console.out().lines().filter(line -> line.startsWith("nio ")).findFirst().get();
  }

  @Test
  void theSameTwiceIsWithinNoise() throws IOException {
    assertThat(verdict(Samples.ROUNDS, Samples.times(0.5)))
        .matches("nio +0\\.50 us +0\\.50 us +1\\.00 +0\\.9\\d to 1\\.0\\d +1\\.00 .* within noise");
    assertThat(console.out()).doesNotContain("slower\n", "faster\n", "differs", "itself took");
  }

  @Test
  void aFifthSlowerIsSlower() throws IOException {
    assertThat(verdict(Samples.ROUNDS, Samples.times(0.6)))
        .matches("nio .* 1\\.20 +1\\.1\\d to 1\\.2\\d +1\\.20 .*  slower");
  }

  @Test
  void aFifthFasterIsFaster() throws IOException {
    assertThat(verdict(Samples.ROUNDS, Samples.times(0.4))).matches("nio .* 0\\.80 .*  faster");
  }

  @Test
  void aMachineThatIsSlowerAltogetherIsNotTheContender() throws IOException {
    assertThat(verdict(Samples.times(2), Samples.times(1)))
        .matches("nio .* 2\\.00 .* 1\\.00 .* as the baseline");
    assertThat(console.out())
        .containsPattern("(?m)^raw-sleep .* 2\\.00 .*  slower$")
        .contains("! raw-sleep itself took 2.00 times as long in B: look at the times, too");
  }

  @Test
  void aContenderThatLagsBehindAFasterMachineIsSlower() throws IOException {
    assertThat(verdict(Samples.times(0.5), Samples.times(0.5)))
        .matches("nio .* 1\\.00 .* 2\\.00 .*  slower");
  }

  @Test
  void aChangeThatRoundsDifferByAnywayIsWithinNoise() throws IOException {
    double[] wider = WIDE.clone();
    for (int i = 0; i < wider.length; i++) {
      wider[i] *= 0.6;
    }
    assertThat(verdict(Samples.ROUNDS, wider)).endsWith("within noise");
  }

  @Test
  void aCertainChangeBelowTheSpreadIsOnlyPerhaps() throws IOException {
    // Both move together in every round, so the ratio is sure, but by less than rounds differ.
    Path a = Samples.file(directory.resolve("a.json"), "nio", WIDE, WIDE);
    double[] slower = WIDE.clone();
    for (int i = 0; i < slower.length; i++) {
      slower[i] *= 1.1;
    }
    Path b = Samples.file(directory.resolve("b.json"), "nio", WIDE, slower);
    assertThat(run(a, b, "--fail-on-slower=0")).isZero();
    assertThat(console.out()).containsPattern("(?m)^nio .*  perhaps slower$");
  }

  @Test
  void tooFewRoundsSaySo() throws IOException {
    double[] one = {1000};
    Path a = Samples.file(directory.resolve("a.json"), "nio", one, one);
    Path b = Samples.file(directory.resolve("b.json"), "nio", one, new double[] {9000});
    assertThat(run(a, b)).isZero();
    assertThat(console.out()).containsPattern("nio .* too few rounds .* within noise");
  }

  @Test
  void whatGotSlowerCanFail() throws IOException {
    Path a = Samples.file(directory.resolve("a.json"), "nio", Samples.ROUNDS, Samples.times(0.5));
    Path b = Samples.file(directory.resolve("b.json"), "nio", Samples.ROUNDS, Samples.times(0.6));
    assertThat(run("--fail-on-slower", "25", a, b)).isZero();
    assertThat(run("--fail-on-slower", "10", a, b)).isEqualTo(1);
    assertThat(console.err()).contains("slower by more than 10.0 %").hasLineCount(1);
  }

  private void fails(int status, String complaint, Object... arguments) {
    assertThat(run(arguments)).isEqualTo(status);
    assertThat(console.err()).contains("arraywire compare: ", complaint).hasLineCount(1);
    assertThat(console.out()).isEmpty();
  }

  private Path sample() throws IOException {
    return Samples.file(directory.resolve("a.json"), "nio", Samples.ROUNDS, Samples.ROUNDS);
  }

  @Test
  void aFileThatIsMissing() throws IOException {
    fails(1, "no such file", sample(), directory.resolve("missing.json"));
  }

  @Test
  void aFileThatIsNotJson() throws IOException {
    fails(1, "not JSON", sample(), Files.writeString(directory.resolve("b.json"), "{"));
  }

  @Test
  void aFileOfAnotherVersion() throws IOException {
    String text = Files.readString(sample()).replace("\"version\":1,", "\"version\":7,");
    fails(1, "version=7", sample(), Files.writeString(directory.resolve("b.json"), text));
  }

  private Path withPython(String name, String python) throws IOException {
    String text = Files.readString(sample());
    return Files.writeString(
        directory.resolve(name),
        text.replace("\"baseline\"", "\"python\":\"" + python + "\",\"baseline\""));
  }

  @Test
  void anotherPythonIsSaidToDifferAndTwoJvmsAreNoPython() throws IOException {
    Path a = withPython("python-a.json", "CPython 3.13.1, numpy 2.4.6");
    Path b = withPython("python-b.json", "CPython 3.13.2, numpy 2.4.6");
    assertThat(run(a, b)).isZero();
    assertThat(console.out())
        .contains("! Python differs: A CPython 3.13.1, numpy 2.4.6; B CPython 3.13.2, numpy 2.4.6")
        .contains("float[] of 64 bytes, loopback, Python at one end");
    console.clear();
    fails(1, "in common", a, sample());
  }

  @Test
  void filesThatHaveNothingInCommon() throws IOException {
    String text = Files.readString(sample()).replace("\"bytes\":64", "\"bytes\":128");
    fails(1, "in common", sample(), Files.writeString(directory.resolve("b.json"), text));
  }

  @Test
  void aFileTooFewOrANumberBelowZeroIsAWrongCommandLine() throws IOException {
    fails(2, "B.json", sample());
    console.clear();
    fails(2, "percent=-1.0", "--fail-on-slower=-1", sample(), sample());
  }
}
