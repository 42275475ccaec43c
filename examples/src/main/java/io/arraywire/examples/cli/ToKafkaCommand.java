package io.arraywire.examples.cli;

import io.arraywire.BindFailedException;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.Transport;
import io.arraywire.examples.kafka.KafkaSink;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code arraywire to-kafka}. */
@Command(
    name = "to-kafka",
    description = "Listens, and puts each array that comes into a topic of Apache Kafka.",
    footer = {
      "",
      "The first line of output is 'listening on HOST:PORT'. An array is acknowledged to its sender"
          + " once the brokers have acknowledged it (acks=all, idempotent producer). While no broker"
          + " answers, senders wait, up to 2 minutes.",
      "The key is the sender's metadata 'kafka-key', else --record-key. Arrays of one channel keep their"
          + " order. It ends with Ctrl-C or SIGTERM, once the arrays that it has taken are acknowledged.",
      "",
      "  arraywire to-kafka --listen localhost:4711 --brokers localhost:9092 --topic features"
    })
final class ToKafkaCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private BrokerOptions brokers;

  @Option(
      names = "--record-key",
      paramLabel = "KEY",
      defaultValue = "arrays",
      description = "The key of arrays that bring none. Default: arrays.")
  private String key;

  @Option(
      names = "--record-encoding",
      paramLabel = "NAME",
      defaultValue = "raw-le",
      description =
          "The encoding of records: raw-le, raw-be, shuffle-zstd, shuffle-lz4, bf16 or fp16. The last"
              + " two are for floats only, and round them. Consumers need no option for it. Default:"
              + " raw-le.")
  private String encoding;

  @Mixin private TransferOptions transfer;
  @Mixin private ListenOptions listening;

  ToKafkaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    transfer.listens(listening);
    try (Transport transport = transfer.create(null, brokers.maxBytes(), false);
        KafkaSink sink = sink()) {
      return serve(report(console, transfer), brokers.listen(), transport, Handlers.ofArrays(sink));
    }
  }

  private KafkaSink sink() {
    try {
      return new KafkaSink(brokers.brokers(), brokers.topic(), key, encoding);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--record-encoding: " + e.getMessage(), e);
    }
  }

  /** What a bridge prints: its first line, in the form that {@code --json} asks for. */
  static ReceiveReport report(Console console, TransferOptions transfer) {
    return new ReceiveReport(console, transfer.json(), () -> {});
  }

  /** Serves until the process is told to end, or this thread is interrupted. */
  static int serve(ReceiveReport report, Address address, Transport transport, Handlers handlers)
      throws Exception {
    try (Listener listener = listen(address, transport, handlers)) {
      report.listening(address.bound(listener.address()));
      listener.closeOnShutdown().awaitClosed();
      return 0;
    }
  }

  private static Listener listen(Address address, Transport transport, Handlers handlers)
      throws IOException {
    try {
      return transport.listen(address.resolve(), handlers);
    } catch (BindFailedException e) {
      throw Complaints.notBound(e, address);
    }
  }
}
