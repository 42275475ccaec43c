package io.arraywire.testkit;

/**
 * What is certain of the credit of a channel or a connection. How soon a receiver gives credit back
 * is its own affair, so there is a least that it must allow, and a most that it may have allowed.
 */
final class SlowCredit {
  private final long window;
  private final boolean kept;
  private long charged;

  /** What may have been given back, or allowed besides. */
  private long more;

  /**
   * The credit.
   *
   * @param window the first credit
   * @param kept whether nobody asks for an array before the stream has ended
   */
  SlowCredit(long window, boolean kept) {
    this.window = window;
    this.kept = kept;
  }

  void charge(long cost) {
    charged += cost;
  }

  /** An array of so many bytes begins: a call that asks for it asks for all of it. */
  void begins(long arrayBytes, boolean dropped) {
    if (!kept || dropped) {
      more += arrayBytes;
    }
  }

  /** Nothing is left here of an array that cost so much. */
  void frees(long cost) {
    if (kept) {
      more += cost;
    }
  }

  boolean mustAllow(long cost) {
    return charged + cost <= window;
  }

  boolean mustRefuse(long cost) {
    return charged + cost > most();
  }

  /** The most that the peer may ever have been told. */
  long most() {
    return window + more + (kept ? 0 : charged);
  }

  /** The same once everything that came is taken, too. */
  long mostInTheEnd() {
    return window + more + charged;
  }
}
