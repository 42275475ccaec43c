package io.arraywire.benchmarks.result;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What all contenders did, and how each fared.
 *
 * @param label such as {@code 64 bytes, 256 in flight}
 * @param bytes in each array
 * @param window how many arrays of a connection were in flight; 1 if each was waited for
 * @param connections how many worked at the same time; 0 where one did alone
 * @param threads how many made requests that were answered at once; 0 where none did
 * @param rate how many requests fell due in a second; 0 where each waited for another
 * @param atOnce how many of them fell due at the same time; 0 without a rate
 * @param slowAnswers which of their requests were answered late, in words; empty where none was
 * @param rows one for each contender
 */
public record Question(
    String label,
    long bytes,
    int window,
    int connections,
    int threads,
    int rate,
    int atOnce,
    String slowAnswers,
    List<Row> rows) {

  static Question parse(Members members) throws IOException {
    long bytes = members.whole("bytes");
    if (bytes < 1) {
      throw members.wrong("bytes", "a number above 0");
    }
    long moved = members.has("movedBytes") ? members.whole("movedBytes") : bytes;
    if (moved < bytes) {
      throw members.wrong("movedBytes", "a number of at least " + bytes);
    }
    List<Row> rows = new ArrayList<>();
    for (Members each : members.objects("contenders")) {
      rows.add(Row.parse(each, moved));
    }
    if (rows.isEmpty()) {
      throw members.wrong("contenders", "one contender or more");
    }
    return new Question(
        OldNames.label(members.text("label")),
        bytes,
        (int) members.whole("window"),
        members.has("connections") ? (int) members.whole("connections") : 0,
        members.has("threads") ? (int) members.whole("threads") : 0,
        members.has("rate") ? (int) members.whole("rate") : 0,
        members.has("atOnce") ? (int) members.whole("atOnce") : 0,
        members.text("slowAnswers", ""),
        rows);
  }

  /**
   * Whether another run asked the same.
   *
   * @param other a question
   * @return true if all but the rows is the same
   */
  public boolean isLike(Question other) {
    return bytes == other.bytes
        && window == other.window
        && connections == other.connections
        && threads == other.threads
        && rate == other.rate
        && atOnce == other.atOnce
        && slowAnswers.equals(other.slowAnswers);
  }

  /** Whether many connections worked at the same time. */
  public boolean concurrent() {
    return connections > 0;
  }

  /** Whether they made requests, and did not just send. */
  public boolean answered() {
    return threads > 0 || rate > 0 || !slowAnswers.isEmpty();
  }

  /** Whether arrays followed each other without waiting. */
  public boolean pipelined() {
    return window > 1;
  }

  /**
   * How a contender fared.
   *
   * @param contender its name
   * @return its row, if it took part
   */
  public Optional<Row> row(String contender) {
    return rows.stream().filter(row -> row.contender().equals(contender)).findFirst();
  }
}
