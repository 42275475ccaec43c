package io.arraywire.examples.cli;

/** Some of several arrays were not sent; the cause says why. */
final class UnfinishedSendException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param shown what the array is called that failed
   * @param number its number, from 1
   * @param all how many there are
   * @param skipped how many before it the receiver had already
   * @param cause why it failed
   */
  UnfinishedSendException(String shown, int number, int all, int skipped, Exception cause) {
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
            + " not tried",
        cause);
  }
}
