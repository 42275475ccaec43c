package io.arraywire.chaos.delivery;

/** The ways in which a delivery can be wrong. */
public enum ViolationKind {
  /** Reported ok, and no receiver has it. */
  LOST("was reported ok and never delivered"),
  /** Delivered more than once. */
  DUPLICATED("was delivered more than once"),
  /** Reported as certainly not delivered, and delivered. */
  DELIVERED_THOUGH_FAILED("was reported as certainly not delivered, and was delivered"),
  /** Delivered after a later one of its stream. */
  OUT_OF_ORDER("was delivered after a later one"),
  /** Delivered, and nobody sent it. */
  PHANTOM("was delivered and never sent"),
  /** Delivered with other elements. */
  HASH_DIFFERS("was delivered with other elements than were sent"),
  /** Two sends under one number: the sender's log is wrong. */
  INVOKED_TWICE("was invoked twice"),
  /** One send ended twice. */
  TWO_OUTCOMES("had more than one outcome"),
  /** An outcome of a send that never began: the sender's log is wrong. */
  OUTCOME_WITHOUT_INVOKE("had an outcome and was never invoked");

  private final String words;

  ViolationKind(String words) {
    this.words = words;
  }

  /**
   * The kind in words.
   *
   * @return for example {@code was delivered more than once}
   */
  public String words() {
    return words;
  }
}
