package io.arraywire.examples.cli;

import picocli.CommandLine.Option;

/** What only a side that listens has beside the {@link TransferOptions}. */
final class ListenOptions {
  static final String REQUIRE = "--require-client-cert";

  @Option(
      names = REQUIRE,
      description = "Refuse peers without a certificate that --ca vouches for.")
  private boolean clientCertificateRequired;

  boolean clientCertificateRequired() {
    return clientCertificateRequired;
  }
}
