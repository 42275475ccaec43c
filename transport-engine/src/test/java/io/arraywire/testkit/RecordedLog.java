package io.arraywire.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What the library logs from now on until this is closed. Any thread. */
final class RecordedLog implements AutoCloseable {
  private static final List<RecordedLog> OPEN = new CopyOnWriteArrayList<>();

  private final List<String> messages = new CopyOnWriteArrayList<>();
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  RecordedLog() {
    OPEN.add(this);
  }

  /** Something is logged. */
  static void publish(String message, boolean warning) {
    OPEN.forEach(each -> {
      each.messages.add(message);
      if (warning) {
        each.warnings.add(message);
      }
    });
  }

  /** The messages that are warnings, or worse. */
  List<String> warnings() {
    return warnings;
  }

  /** The messages that have this in them. */
  List<String> with(String part) {
    return messages.stream().filter(each -> each.contains(part)).toList();
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }
}
