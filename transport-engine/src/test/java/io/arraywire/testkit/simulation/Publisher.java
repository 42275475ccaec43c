package io.arraywire.testkit.simulation;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArraywireException;
import io.arraywire.PublishReceipt;
import io.arraywire.engine.Subjects;
import io.arraywire.message.Message;
import java.util.Map;
import java.util.TreeMap;

/** Publishes on a few subjects, and counts on each. */
final class Publisher {
  private final Subjects subjects;
  private final Judge judge;
  private final Map<String, Long> published = new TreeMap<>();

  Publisher(Subjects subjects, Judge judge) {
    this.subjects = subjects;
    this.judge = judge;
  }

  /** How large a published array is. */
  static int bytes(long tag) {
    return (int) (Choices.mixed(tag * 77) & 0x7ff);
  }

  long published(String subject) {
    return published.getOrDefault(subject, 0L);
  }

  void publish(String subject) throws ArraywireException, InterruptedException {
    long tag = published.merge(subject, 1L, Long::sum);
    Message message = Payload.of(tag, bytes(tag)).tag(tag);
    ArrayAttributes attributes = message.toAttributes();
    PublishReceipt receipt =
        subjects.publish(subject, Payload.slice(message, attributes), attributes);
    int told = receipt.queued() + receipt.dropped() + receipt.timedOut() + receipt.disconnected();
    if (told < receipt.subscribers()) {
      judge.violation("a publication lost sight of subscribers: " + receipt);
    }
    Payload.spoil(message);
  }
}
