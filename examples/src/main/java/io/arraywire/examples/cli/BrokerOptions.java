package io.arraywire.examples.cli;

import picocli.CommandLine.Option;

/** What {@code to-kafka} and {@code from-kafka} share. */
final class BrokerOptions {
  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      required = true,
      converter = TransferOptions.AddressConverter.class,
      description =
          "Where to listen; port 0 takes a free one. :PORT listens on all addresses of this host."
              + " Also [::1]:PORT and unix:PATH.")
  private Address listen;

  @Option(
      names = "--brokers",
      paramLabel = "HOST:PORT,...",
      required = true,
      description = "Some brokers of the cluster.")
  private String brokers;

  @Option(names = "--topic", paramLabel = "NAME", required = true, description = "The topic.")
  private String topic;

  @Option(
      names = "--max-bytes",
      paramLabel = "SIZE",
      defaultValue = "64M",
      converter = SizeConverter.class,
      description = "The largest array, such as 512M. Default: 64M.")
  private long maxBytes;

  Address listen() {
    return listen;
  }

  String brokers() {
    return brokers;
  }

  String topic() {
    return topic;
  }

  long maxBytes() {
    return maxBytes;
  }
}
