package io.arraywire.benchmarks.bench;

/**
 * Threads that make requests, each the next one as soon as its last one is answered.
 *
 * @param threads how many work at the same time
 * @param connections how many connections they share, evenly
 */
record Clients(int threads, int connections) {

  /**
   * Reads what the command line says.
   *
   * @param text {@code THREADS/CONNECTIONS}, or one number for both
   * @throws NumberFormatException if it is something else
   */
  static Clients parse(String text) {
    String[] numbers = text.split("/", 2);
    int threads = Integer.parseInt(numbers[0]);
    return new Clients(threads, numbers.length == 1 ? threads : Integer.parseInt(numbers[1]));
  }

  String label() {
    return number(threads, "thread") + " on " + number(connections, "connection");
  }

  private static String number(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }
}
