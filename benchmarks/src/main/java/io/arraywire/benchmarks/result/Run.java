package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Contenders that took turns in the same rounds.
 *
 * @param network what lay between the two ends, such as {@code loopback}, what arrays held unless
 *     it was noise, and whether one end was a process of Python
 * @param python that Python and its packages, with versions; empty where both ends were JVMs
 * @param baseline the contender that the others are compared with
 * @param rounds how many rounds there were
 * @param burstMillis how long each worked in a round
 * @param jvmFlags of all contenders
 * @param questions what was measured
 */
public record Run(
    String network,
    String python,
    String baseline,
    int rounds,
    long burstMillis,
    List<String> jvmFlags,
    List<Question> questions) {
  private static final String LOOPBACK = "loopback";

  /** What titles say of a run with such an end; its figures are not those of two JVMs. */
  public static final String PYTHON = ", Python at one end";

  static Run parse(Members members) throws IOException {
    List<Question> questions = new ArrayList<>();
    for (Members each : members.objects("workloads")) {
      questions.add(Question.parse(each));
    }
    if (questions.isEmpty()) {
      throw members.wrong("workloads", "one workload or more");
    }
    String python = members.text("python", "");
    return new Run(
        members.text("network", LOOPBACK) + data(members) + (python.isEmpty() ? "" : PYTHON),
        python,
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
