package io.arraywire.examples.cli;

import picocli.CommandLine.Option;

/** What commands have that can speak to a peer of another make, which knows no handshake. */
final class PlainOption {
  @Option(
      names = "--plain",
      description =
          "Speak to a DataOutputStream: a big-endian int count, then the elements; no handshake, no"
              + " shape, no acknowledgement.")
  private boolean plain;

  boolean isOn() {
    return plain;
  }
}
