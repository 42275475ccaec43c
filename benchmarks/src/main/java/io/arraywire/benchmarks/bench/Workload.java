package io.arraywire.benchmarks.bench;

import io.arraywire.examples.report.Units;
import org.jspecify.annotations.Nullable;

/**
 * What all contenders do.
 *
 * @param count elements in each array
 * @param window how many arrays of a connection may be in flight at once; 1 if each is waited for
 * @param connections how many work at the same time, whose common rate is measured; 0 where one
 *     does alone
 * @param slowAnswers which requests are slow, where some are; otherwise null
 * @param clients the threads that make requests, where all are answered at once; otherwise null
 * @param rate the rate at which requests fall due, with {@code --rate}; otherwise null
 * @param roundTrip whether each array goes there and back, with {@code --python}
 */
record Workload(
    int count,
    int window,
    int connections,
    @Nullable SlowAnswers slowAnswers,
    @Nullable Clients clients,
    @Nullable Rate rate,
    boolean roundTrip) {

  /** A workload in which each array is waited for. */
  static Workload oneByOne(int count) {
    return new Workload(count, 1, 0, null, null, null, false);
  }

  /** A workload in which each array goes there and back. */
  static Workload roundTrip(int count) {
    return new Workload(count, 1, 0, null, null, null, true);
  }

  /** A workload in which arrays follow each other without waiting. */
  static Workload pipelined(int count, int window) {
    return new Workload(count, window, 0, null, null, null, false);
  }

  /** A workload in which each of many connections has one array in flight. */
  static Workload concurrent(int count, int connections) {
    return new Workload(count, 1, connections, null, null, null, false);
  }

  /** A workload in which clients make requests, some of which are answered late. */
  static Workload answered(int count, int clients, SlowAnswers slowAnswers) {
    return new Workload(count, 1, clients, slowAnswers, null, null, false);
  }

  /** A workload in which threads make requests, each of which is answered at once. */
  static Workload requests(int count, Clients clients) {
    return new Workload(count, 1, clients.connections(), null, clients, null, false);
  }

  /** A workload in which requests fall due at a rate, on one connection. */
  static Workload paced(int count, Rate rate) {
    return new Workload(count, 1, 1, null, null, rate, false);
  }

  boolean pipelined() {
    return window > 1;
  }

  boolean concurrent() {
    return connections > 0;
  }

  long bytes() {
    return (long) count * Float.BYTES;
  }

  /** Bytes of elements that are moved in the time of one array: twice its own on a round trip. */
  long movedBytes() {
    return roundTrip ? 2 * bytes() : bytes();
  }

  String label() {
    return Units.bytes(bytes())
        + (roundTrip ? " there and back" : "")
        + (pipelined() ? ", " + window + " in flight" : "")
        + (concurrent() ? ", " + clientsLabel() : "")
        + (slowAnswers == null ? "" : ", " + slowAnswers.label())
        + (rate == null ? "" : ", " + rate.label());
  }

  private String clientsLabel() {
    return clients == null ? connectionsLabel() : clients.label();
  }

  String connectionsLabel() {
    return connections + (connections == 1 ? " connection" : " connections");
  }
}
