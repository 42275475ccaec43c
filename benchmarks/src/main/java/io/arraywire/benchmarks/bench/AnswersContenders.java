package io.arraywire.benchmarks.bench;

import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import java.util.List;
import java.util.Map;

/** All contenders with slow answers by name. */
final class AnswersContenders {
  /** The one that the others are compared with. */
  static final String BASELINE = "jdk-threads";

  private static final List<String> USUAL =
      List.of(BASELINE, "jdk-virtual", "nio", "nio-later", "stream");

  private static final Map<String, AnswersContender> ALL =
      Contenders.byName(
          List.of(
              new JdkAnswers(false),
              new JdkAnswers(true),
              new ArraywireAnswers(
                  "nio",
                  "nonblocking transport, a handler that sleeps, every default",
                  NioTransport::create,
                  ArraywireAnswers.Handling.SLEEPING),
              new ArraywireAnswers(
                  "nio-later",
                  "the same with a handler that returns at once and a timer that answers",
                  NioTransport::create,
                  ArraywireAnswers.Handling.LATER),
              new ArraywireAnswers(
                  "nio-pool-16",
                  "the same with handlers that sleep, on 16 threads of the user's",
                  NioTransport::create,
                  ArraywireAnswers.Handling.POOLED),
              new ArraywireAnswers(
                  "stream",
                  "blocking transport, a handler that sleeps, every default",
                  StreamTransport::create,
                  ArraywireAnswers.Handling.SLEEPING)));

  private AnswersContenders() {}

  /** All that there are. */
  static List<AnswersContender> all() {
    return List.copyOf(ALL.values());
  }

  /** What runs if nobody says which. */
  static List<AnswersContender> usual() {
    return USUAL.stream().map(AnswersContenders::named).toList();
  }

  /**
   * A contender.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  static AnswersContender named(String name) {
    return Contenders.known(name, ALL.get(name));
  }
}
