package io.arraywire.examples.cli;

/** Arrays were not sent, or not all of one; the cause says why. */
final class UnfinishedSendException extends Exception {
  private static final long serialVersionUID = 1;

  private static final String GOES_ON = "the same command sends the rest";
  private static final String TAKEN = "--skip-existing leaves out what the receiver has";

  /**
   * Makes one.
   *
   * @param shown what the array is called that failed
   * @param number its number, from 1
   * @param all how many there are
   * @param skipped how many before it the receiver had already
   * @param goesOn whether the receiver keeps what it has got
   * @param taken whether the receiver has a file of that name
   * @param cause why it failed
   */
  UnfinishedSendException(
      String shown,
      int number,
      int all,
      int skipped,
      boolean goesOn,
      boolean taken,
      Exception cause) {
    super(
        "it was array "
            + number
            + " of "
            + all
            + ", "
            + shown
            + ": "
            + (number - 1 - skipped)
            + " sent"
            + (skipped == 0 ? "" : ", " + skipped + " skipped")
            + ", "
            + (all - number)
            + " not tried"
            + (goesOn ? "; " + GOES_ON : taken ? "; " + TAKEN : ""),
        cause);
  }

  /** Of a single array, of which the receiver keeps what it has got. */
  UnfinishedSendException(Exception cause) {
    super(GOES_ON, cause);
  }
}
