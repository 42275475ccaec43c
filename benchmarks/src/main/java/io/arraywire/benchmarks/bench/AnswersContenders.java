package io.arraywire.benchmarks.bench;

import io.arraywire.nio.NioTransport;
import io.arraywire.stream.StreamTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** All contenders that answer requests, by name. */
final class AnswersContenders {
  /** The one that the others are compared with. */
  static final String BASELINE = "jdk-threads";

  private static final List<String> USUAL =
      List.of(BASELINE, "jdk-virtual", "nio", "nio-later", "stream");

  /** With {@code --requests}, where no answer is late. */
  private static final List<String> USUAL_AT_ONCE =
      List.of(BASELINE, "jdk-virtual", "nio", "nio-on-loop", "stream");

  private static final List<AnswersContender> PEERS = Contenders.peers(ContenderProvider::answers);

  private static final Map<String, AnswersContender> ALL = Contenders.byName(contenders());

  private AnswersContenders() {}

  private static List<AnswersContender> contenders() {
    List<AnswersContender> contenders =
        new ArrayList<>(
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
                    "nio-on-loop",
                    "the same on the event loop, because neither handler nor stages block",
                    NioTransport::create,
                    ArraywireAnswers.Handling.ON_LOOP),
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
    contenders.addAll(PEERS);
    return contenders;
  }

  /** All that there are. */
  static List<AnswersContender> all() {
    return List.copyOf(ALL.values());
  }

  /** The default contenders with {@code --slow-answers}, those of other libraries among them. */
  static List<AnswersContender> usual() {
    return withPeers(USUAL);
  }

  /** The default contenders with {@code --requests}. */
  static List<AnswersContender> usualAtOnce() {
    return withPeers(USUAL_AT_ONCE);
  }

  /** The default contenders with {@code --rate}. */
  static List<AnswersContender> usualPaced() {
    return withPeers(List.of(BASELINE, "nio", "nio-on-loop", "stream")).stream()
        .filter(AnswersContender::asks)
        .toList();
  }

  private static List<AnswersContender> withPeers(List<String> names) {
    List<AnswersContender> usual =
        new ArrayList<>(names.stream().map(AnswersContenders::named).toList());
    usual.addAll(PEERS);
    return usual;
  }

  /** The contenders that take part. Those that cannot run here go to {@code leftOut}. */
  static List<AnswersContender> participants(
      BenchOptions common, List<AnswersContender> usual, BiConsumer<Participant, String> leftOut) {
    List<AnswersContender> participants = new ArrayList<>();
    for (AnswersContender each : common.contenders(AnswersContenders::named, BASELINE, usual)) {
      String unavailable = each.unavailable();
      if (unavailable == null) {
        participants.add(each);
      } else {
        leftOut.accept(each, unavailable);
      }
    }
    return List.copyOf(participants);
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
