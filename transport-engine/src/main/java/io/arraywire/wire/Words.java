package io.arraywire.wire;

/** Text that came from a peer, made fit for a log line. Stateless; any thread. */
public final class Words {
  private static final int MOST_CHARACTERS = 600;

  private Words() {}

  /**
   * Replaces control characters, so that a peer can neither forge log lines nor drive a terminal,
   * and cuts what is too long.
   *
   * @param text any text
   * @return printable text
   */
  public static String printable(String text) {
    StringBuilder clean = new StringBuilder(Math.min(text.length(), MOST_CHARACTERS));
    for (int i = 0; i < text.length() && i < MOST_CHARACTERS; i++) {
      char c = text.charAt(i);
      boolean unfit =
          Character.isISOControl(c)
              || Character.getType(c) == Character.FORMAT
              || Character.getType(c) == Character.LINE_SEPARATOR
              || Character.getType(c) == Character.PARAGRAPH_SEPARATOR;
      clean.append(unfit ? '?' : c);
    }
    return clean.toString();
  }
}
