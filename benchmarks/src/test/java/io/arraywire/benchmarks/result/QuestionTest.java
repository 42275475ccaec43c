package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionTest {
  private static Question question(long bytes, int window, int connections, String slowAnswers) {
    return new Question("label", bytes, window, connections, slowAnswers, List.of());
  }

  @Test
  void onlyTheSameIsLikeIt() {
    Question question = question(64, 1, 100, "1 of 10 after 2000 ms");
    assertThat(question.isLike(question(64, 1, 100, "1 of 10 after 2000 ms"))).isTrue();
    assertThat(question.isLike(question(65, 1, 100, "1 of 10 after 2000 ms"))).isFalse();
    assertThat(question.isLike(question(64, 2, 100, "1 of 10 after 2000 ms"))).isFalse();
    assertThat(question.isLike(question(64, 1, 99, "1 of 10 after 2000 ms"))).isFalse();
    assertThat(question.isLike(question(64, 1, 100, "1 of 10 after 1000 ms"))).isFalse();
    assertThat(question.isLike(question(64, 1, 100, ""))).isFalse();
    assertThat(question.answered()).isTrue();
    assertThat(question(64, 1, 100, "").answered()).isFalse();
  }
}
