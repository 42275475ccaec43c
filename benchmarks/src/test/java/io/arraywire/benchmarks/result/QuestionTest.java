package io.arraywire.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QuestionTest {
  private static Question question(long bytes, int window, int connections, String slowAnswers) {
    return new Question("label", bytes, window, connections, 0, 0, 0, slowAnswers, List.of());
  }

  private static Question requests(int threads, int connections) {
    return new Question("label", 512, 1, connections, threads, 0, 0, "", List.of());
  }

  private static Question paced(int rate, int atOnce) {
    return new Question("label", 64, 1, 1, 0, rate, atOnce, "", List.of());
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
    assertThat(requests(8, 1).isLike(requests(8, 1))).isTrue();
    assertThat(requests(8, 1).isLike(requests(8, 8))).isFalse();
    assertThat(requests(8, 1).isLike(requests(1, 1))).isFalse();
    assertThat(requests(8, 1).answered()).isTrue();
    assertThat(paced(10_000, 1).isLike(paced(10_000, 1))).isTrue();
    assertThat(paced(10_000, 1).isLike(paced(20_000, 1))).isFalse();
    assertThat(paced(10_000, 1).isLike(paced(10_000, 8))).isFalse();
    assertThat(paced(10_000, 1).answered()).isTrue();
    assertThat(question(64, 1, 100, "").answered()).isFalse();
  }
}
