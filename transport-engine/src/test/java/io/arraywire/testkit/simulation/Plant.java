package io.arraywire.testkit.simulation;

/**
 * A bug that is planted: a text of a source of the engine, which must be there once, and what takes
 * its place. Where the text is not found, the engine was changed: look for the plant's new place.
 *
 * @param name what goes wrong
 * @param source the simple name of a class of the engine, for one of TLS behind "tls/"
 * @param text what is there
 * @param replacement what the bug has there
 * @param seed one that finds it
 */
record Plant(String name, String source, String text, String replacement, long seed) {
  @Override
  public String toString() {
    return name;
  }
}
