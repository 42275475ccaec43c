package io.arraywire.examples.kafka;

import io.arraywire.ArraywireException;
import io.arraywire.Connection;
import io.arraywire.PublishReceipt;
import io.arraywire.kafka.ArrayAssembler;
import io.arraywire.kafka.ArrayRecord;
import io.arraywire.kafka.ArrayRecordException;
import io.arraywire.kafka.AssemblyOptions;
import io.arraywire.message.Message;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * One replay of a partition, from its request until its consumer is closed. The thread of the
 * request calls {@link #seek} and {@link #start}; any thread may call {@link #stop}.
 */
final class TopicReplay {
  /** Begins with the first offset that the partition has. */
  static final long BEGINNING = -1;

  /** Begins behind the last one. */
  static final long END = -2;

  private static final Duration POLL = Duration.ofMillis(200);

  /** Where a replay goes to: two of them would be mixed up there. */
  record Place(Connection connection, String subject) {}

  private final Place place;
  private final TopicPartition partition;
  private final ArrayAssembler<String> assembler;
  private final java.util.function.Consumer<String> complaints;
  private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
  private volatile boolean stopped;

  /** What {@link #stop} wakes, and what it interrupts; under this monitor. */
  private @Nullable Consumer<String, ByteBuffer> consumer;

  private @Nullable Thread thread;

  TopicReplay(
      Place place,
      TopicPartition partition,
      AssemblyOptions options,
      java.util.function.Consumer<String> complaints) {
    this.place = place;
    this.partition = partition;
    this.complaints = complaints;
    assembler = ArrayAssembler.within(options);
  }

  Place place() {
    return place;
  }

  /** Done once it has ended, never with a failure. */
  CompletableFuture<@Nullable Void> ended() {
    return ended;
  }

  /**
   * Makes its consumer and goes to where the client wants to begin.
   *
   * @param from {@link #BEGINNING}, {@link #END} or an offset
   * @return the offset
   * @throws ArraywireException if the partition does not have it, or somebody stops the replay
   */
  long seek(Supplier<Consumer<String, ByteBuffer>> consumers, long from) throws ArraywireException {
    goesOn();
    Consumer<String, ByteBuffer> made = consumers.get();
    synchronized (this) {
      consumer = made;
    }
    goesOn();
    try {
      List<TopicPartition> one = List.of(partition);
      made.assign(one);
      if (from == BEGINNING) {
        made.seekToBeginning(one);
      } else if (from == END) {
        made.seekToEnd(one);
      } else {
        made.seek(partition, offset(made, from));
      }
      return made.position(partition);
    } catch (WakeupException e) {
      goesOn();
      throw e;
    }
  }

  private void goesOn() throws ArraywireException {
    if (stopped) {
      throw ArraywireException.refusal(
          "the replay was stopped before it began: a newer request for its subject came, or the"
              + " bridge ends",
          "subject",
          place.subject());
    }
  }

  private long offset(Consumer<String, ByteBuffer> made, long wanted) throws ArraywireException {
    List<TopicPartition> one = List.of(partition);
    long first = made.beginningOffsets(one).getOrDefault(partition, 0L);
    long end = made.endOffsets(one).getOrDefault(partition, 0L);
    if (wanted < first || wanted > end) {
      throw ArraywireException.refusal(
          "the topic does not have that offset; choose one that it has",
          "from",
          wanted,
          "first",
          first,
          "end",
          end);
    }
    return wanted;
  }

  /**
   * Begins to publish, on a thread of its own.
   *
   * @param after runs on that thread when it has published its last array
   */
  void start(Runnable after) {
    Thread begun =
        new Thread(
            () -> {
              try {
                run();
              } finally {
                after.run();
              }
            },
            "replay " + partition);
    begun.setDaemon(true);
    synchronized (this) {
      begun.start();
      thread = begun;
    }
  }

  /** Has it end soon; does not wait for it. */
  synchronized void stop() {
    stopped = true;
    if (consumer != null) {
      consumer.wakeup();
    }
    // It may wait for room at its subscriber.
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** Closes its consumer, if it has one, on the thread that used it last. */
  void closeConsumer() {
    Consumer<String, ByteBuffer> closing;
    Thread publisher;
    synchronized (this) {
      closing = consumer;
      publisher = thread;
      consumer = null;
      thread = null;
    }
    if (Thread.currentThread().equals(publisher)) {
      // Nobody interrupts it any more. What stop() left would keep the consumer from closing.
      Thread.interrupted();
    }
    if (closing != null) {
      closing.close();
    }
  }

  private void run() {
    Consumer<String, ByteBuffer> records;
    synchronized (this) {
      records = consumer;
    }
    Connection connection = place.connection();
    try {
      while (records != null && !stopped && connection.subscribers(place.subject()) > 0) {
        for (ConsumerRecord<String, ByteBuffer> record : records.poll(POLL)) {
          publish(assembler.add(record));
        }
        publish(assembler.expired());
      }
    } catch (InterruptedException | InterruptException | WakeupException e) {
      // Stopped.
    } catch (ArraywireException | RuntimeException e) {
      if (connection.isOpen()) {
        String why = Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
        complaints.accept("the replay of " + place.subject() + " ended: " + why);
        tellSubscriber(why);
      }
    }
  }

  /** Says that nothing more comes, behind the last array. */
  private void tellSubscriber(String why) {
    // One line of ASCII, so that a character is a byte.
    String line = why.replaceAll("[^ -~]", "?");
    String words = line.substring(0, Math.min(line.length(), Message.MAX_VALUE_BYTES));
    try {
      publish(Message.of(new long[0]).attribute(KafkaReplay.ERROR, words));
    } catch (InterruptedException e) {
      // Stopped.
    } catch (ArraywireException | RuntimeException e) {
      complaints.accept(
          "the subscriber of " + place.subject() + " could not be told: " + e.getMessage());
    }
  }

  private void publish(List<ArrayRecord<String>> arrays)
      throws ArraywireException, InterruptedException {
    for (ArrayRecord<String> array : arrays) {
      ArrayRecordException failure = array.failure();
      if (failure != null) {
        complaints.accept(String.valueOf(failure.getMessage()));
        continue;
      }
      Message message = array.message();
      if (message == null) {
        continue;
      }
      publish(marked(message, array));
    }
  }

  /** Waits for a subscriber that lags. */
  private void publish(Message message) throws ArraywireException, InterruptedException {
    PublishReceipt receipt;
    do {
      if (stopped) {
        return;
      }
      receipt = place.connection().publish(place.subject(), message);
    } while (receipt.timedOut() > 0);
  }

  /** The message with the place that it has in the topic, unless its own attributes fill it. */
  private static Message marked(Message message, ArrayRecord<String> array) {
    String key = array.key();
    try {
      Message marked = message.attribute("kafka-offset", Long.toString(array.offset()));
      return key == null ? marked : marked.attribute(KafkaSink.KEY, key);
    } catch (IllegalArgumentException e) {
      return message;
    }
  }
}
