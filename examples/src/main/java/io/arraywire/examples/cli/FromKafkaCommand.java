package io.arraywire.examples.cli;

import io.arraywire.Handlers;
import io.arraywire.Transport;
import io.arraywire.examples.kafka.KafkaReplay;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code arraywire from-kafka}. */
@Command(
    name = "from-kafka",
    description = "Listens, and serves a topic of Apache Kafka to subscribers, from any offset.",
    footer = {
      "",
      "The first line of output is 'listening on HOST:PORT'. A client subscribes to a subject of its"
          + " choice, and then sends a request that names it in the metadata 'subject'. Further"
          + " metadata are 'partition' (default 0) and 'from' (beginning, end or an offset; default"
          + " beginning). The answer is the offset"
          + " of the first record. What follows has the metadata 'kafka-offset' and 'kafka-key'. A"
          + " further request for the same subject ends the replay before it. If a replay fails, an"
          + " array without elements ends it, with the reason in the metadata 'kafka-error'.",
      "A record that is not an array is reported on standard error and passed over. A subscriber that"
          + " lags slows its own replay; nothing is dropped. It ends with Ctrl-C or SIGTERM.",
      "",
      "  arraywire from-kafka --listen localhost:4712 --brokers localhost:9092 --topic features"
    })
final class FromKafkaCommand implements Callable<Integer> {
  private final Console console;

  @Spec private CommandSpec spec;
  @Mixin private BrokerOptions brokers;
  @Mixin private TransferOptions transfer;
  @Mixin private ListenOptions listening;

  FromKafkaCommand(Console console) {
    this.console = console;
  }

  @Override
  public Integer call() throws Exception {
    transfer.listens(listening);
    try (Transport transport = transfer.create(null, brokers.maxBytes(), false);
        KafkaReplay replay =
            new KafkaReplay(
                brokers.brokers(),
                brokers.topic(),
                brokers.maxBytes(),
                words -> console.complain(spec.qualifiedName() + ": " + words))) {
      return ToKafkaCommand.serve(
          ToKafkaCommand.report(console, transfer),
          brokers.listen(),
          transport,
          Handlers.ofRequests(replay));
    }
  }
}
