package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Contenders that took turns in the same rounds.
 *
 * @param network what lay between the JVMs, such as {@code loopback}, and what arrays held unless
 *     it was noise
 * @param baseline the contender that the others are compared with
 * @param rounds how many rounds there were
 * @param burstMillis how long each worked in a round
 * @param jvmFlags of all contenders
 * @param questions what was measured
 */
public record Run(
    String network,
    String baseline,
    int rounds,
    long burstMillis,
    List<String> jvmFlags,
    List<Question> questions) {
  private static final String LOOPBACK = "loopback";

  static Run parse(Members members) throws IOException {
    List<Question> questions = new ArrayList<>();
    for (Members each : members.objects("workloads")) {
      questions.add(Question.parse(each));
    }
    if (questions.isEmpty()) {
      throw members.wrong("workloads", "one workload or more");
    }
    return new Run(
        members.text("network", LOOPBACK) + data(members),
        OldNames.contender(members.text("baseline")),
        (int) members.whole("rounds"),
        members.whole("burstMillis"),
        members.texts("jvmFlags"),
        questions);
  }

  /** Of other data, too, figures are not to be compared. */
  private static String data(Members members) throws IOException {
    return members.has("data") ? ", data " + members.text("data") : "";
  }
}
