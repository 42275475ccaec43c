package io.arraywire.examples.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the jar's version, and the JVM it runs on. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "arraywire " + number(),
      "Java "
          + System.getProperty("java.version")
          + ", "
          + System.getProperty("java.vendor")
          + ", "
          + System.getProperty("os.name")
          + " "
          + System.getProperty("os.arch")
    };
  }

  /** The version in the manifest; classes outside a jar have none. */
  static String number() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "(not packaged)" : version;
  }
}
