package io.arraywire.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RepeatedFailuresTest {
  private final List<Runnable> tasks = new ArrayList<>();
  private final List<Duration> delays = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<@Nullable Throwable> stacks = new ArrayList<>();
  private final RepeatedFailures failures =
      new RepeatedFailures(
          (delay, task) -> {
            delays.add(delay);
            tasks.add(task);
            return () -> tasks.remove(task);
          },
          (line, thrown) -> {
            lines.add(line);
            stacks.add(thrown);
          });

  private List<String> said() {
    List<String> said = List.copyOf(lines);
    lines.clear();
    return said;
  }

  @Test
  void theFirstIsLoggedWithItsStackAndTheOthersAreCounted() {
    Throwable thrown = new IllegalStateException("made by a test");
    for (int i = 1; i <= 1118; i++) {
      failures.log("kind", "array refused (sequence=" + i + ")", thrown);
    }
    assertThat(said()).containsExactly("array refused (sequence=1)");
    assertThat(stacks).containsExactly(thrown);
    assertThat(delays).containsExactly(Duration.ofSeconds(30));
    tasks.remove(0).run();
    assertThat(said()).containsExactly("array refused (sequence=1118) ... 1,117 more in 30 s");
    failures.log("kind", "array refused (sequence=1119)", thrown);
    assertThat(said()).isEmpty();
    failures.end();
    assertThat(tasks).isEmpty();
    assertThat(said())
        .containsExactly("array refused (sequence=1119) ... 1 more until the connection ended");
    failures.end();
    assertThat(said()).isEmpty();
    assertThat(stacks).containsExactly(thrown, null, null);
  }

  @Test
  void eachKindHasItsFirstLineButNotAsManyAsAPeerLikes() {
    for (int i = 0; i < 1000; i++) {
      failures.log("kind " + i, "line " + i, null);
    }
    assertThat(said()).hasSize(17).startsWith("line 0", "line 1").endsWith("line 16");
    failures.end();
    assertThat(said()).containsExactly("line 999 ... 983 more until the connection ended");
  }
}
