package io.arraywire.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No contract, golden file, fuzz target, broken codec or stress test disappears without a word. */
@Tag("newest")
class TestAccountTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir private Path tree;

  @Test
  void theAccountIsThatOfTheSources() throws IOException {
    TestAccount account = new TestAccount(ROOT);
    assertThat(account.complaints()).isEmpty();
    assertThat(account.found())
        .contains(
            "contract CloseTests#aLeaseOutlivesItsConnection",
            "part TransportContract TransferTests",
            "extends NioTransportTest TransportContract",
            "extends InMemoryTransportTest.AtOnce Contract",
            "golden testkit/golden/wire-v2/hello.bin",
            "seed testkit/EngineFuzzTestInputs/frames/golden-error",
            "fuzz EngineFuzzTest#frames",
            "broken name with a blank",
            "stress SendStress.SendAndClose",
            "slow ChaosTest",
            "integration NetworkIT");
  }

  private TestAccount account(String... lines) throws IOException {
    write("a/src/main/java/io/ATests.java", "  @Test\n  default void one() {}\n");
    write(TestAccount.FILE, String.join("\n", lines) + "\n");
    return new TestAccount(tree);
  }

  private void write(String file, String text) throws IOException {
    Files.createDirectories(tree.resolve(file).getParent());
    Files.writeString(tree.resolve(file), text);
  }

  @Test
  void whatIsNewIsMissedAndThenAdded() throws IOException {
    TestAccount account = account("# empty");
    assertThat(account.complaints())
        .singleElement()
        .asString()
        .startsWith("not in .ci/tests.txt")
        .endsWith(": contract ATests#one");
    account.add();
    assertThat(account.complaints()).isEmpty();
    assertThat(account.listed()).containsExactly("contract ATests#one");
  }

  @Test
  void whatDisappearsNeedsASuccessor() throws IOException {
    TestAccount account = account("contract ATests#one", "contract ATests#two");
    assertThat(account.complaints())
        .containsExactly("disappeared; replace its line with its successor: contract ATests#two");
    account.add();
    assertThat(account.complaints()).as("adding takes nothing away").hasSize(1);
    assertThat(
            account("contract ATests#one", "gone contract ATests#two => contract ATests#one")
                .complaints())
        .isEmpty();
    assertThat(
            account(
                    "contract ATests#one",
                    "gone contract ATests#two => none: protocol 1 is no longer spoken")
                .complaints())
        .isEmpty();
    for (String successor : List.of("", " =>", " => none: why", " => contract ATests#three")) {
      assertThat(
              account("contract ATests#one", "gone contract ATests#two" + successor).complaints())
          .as(successor)
          .singleElement()
          .asString()
          .startsWith("has no successor");
    }
  }

  @Test
  void aSlowTestMayBecomeQuick() throws IOException {
    write("a/src/test/java/io/BTest.java", "class BTest {\n  @Test\n  void two() {}\n}\n");
    assertThat(
            account("contract ATests#one", "slow BTest", "slow BTest#two", "slow BTest#three")
                .complaints())
        .containsExactly("disappeared; replace its line with its successor: slow BTest#three");
  }

  @Test
  void whatIsThereIsNotGone() throws IOException {
    assertThat(
            account("contract ATests#one", "gone contract ATests#one => none: nobody needs it now")
                .complaints())
        .containsExactly("is there and said to be gone: contract ATests#one");
  }

  /** A test that is removed together with its line. */
  @Test
  void aLineThatWasTakenAwayIsRemembered() throws Exception {
    assumeTrue(Files.exists(ROOT.resolve(".git")), "a source tree without git");
    TestAccount account = account("contract ATests#one", "contract ATests#two");
    git("init", "-q");
    git("add", "-A");
    git("commit", "-q", "-m", "a");
    account("contract ATests#one");
    git("commit", "-q", "-a", "-m", "b");
    assertThat(account.complaints())
        .containsExactly("was in .ci/tests.txt and has no line any more: contract ATests#two");
  }

  private void git(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "gc.auto=0"));
    command.addAll(List.of(arguments));
    assertThat(new ProcessBuilder(command).directory(tree.toFile()).inheritIO().start().waitFor())
        .isZero();
  }
}
