package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts how often stages complete: each must, exactly once. */
final class Completions {
  @GuardedBy("this")
  private final List<CompletionStage<?>> stages = new ArrayList<>();

  private final AtomicInteger completions = new AtomicInteger();

  synchronized void add(CompletionStage<?> stage) {
    stages.add(stage.whenComplete((result, failure) -> completions.incrementAndGet()));
  }

  /** Waits until few have yet to complete: sends that nobody holds back are queued without end. */
  void awaitFewerThan(int open) {
    Eventually.until("fewer than " + open + " sends are open", () -> open() < open);
  }

  private synchronized int open() {
    return stages.size() - completions.get();
  }

  /** Waits for all, and returns the failure of each, or null if it succeeded. */
  List<@Nullable Throwable> outcomes() throws InterruptedException {
    List<CompletionStage<?>> all;
    synchronized (this) {
      all = List.copyOf(stages);
    }
    List<@Nullable Throwable> failures = new ArrayList<>();
    for (CompletionStage<?> each : all) {
      CompletionStage<@Nullable Throwable> failure = each.handle((result, thrown) -> thrown);
      try {
        @Nullable Throwable thrown = Eventually.get(failure);
        failures.add(thrown instanceof CompletionException wrapper ? wrapper.getCause() : thrown);
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    assertThat(completions).hasValue(all.size());
    return failures;
  }

  void assertAllSucceededOnce() throws InterruptedException {
    assertThat(outcomes()).allMatch(failure -> failure == null);
  }
}
