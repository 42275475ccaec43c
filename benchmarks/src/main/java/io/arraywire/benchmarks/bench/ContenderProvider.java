package io.arraywire.benchmarks.bench;

import java.util.List;

/** Brings contenders that need more than this module's dependencies; found by ServiceLoader. */
interface ContenderProvider {

  /** What {@code bench} lists, in this order. */
  List<Contender> contenders();

  /** Those with {@code --connections}. */
  default List<ConnectionsContender> connections() {
    return List.of();
  }

  /** Those with {@code --requests} and {@code --slow-answers}. */
  default List<AnswersContender> answers() {
    return List.of();
  }

  /** Those with {@code --python}. */
  default List<PythonContender> python() {
    return List.of();
  }
}
