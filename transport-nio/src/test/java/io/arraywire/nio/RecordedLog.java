package io.arraywire.nio;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.awaitility.Awaitility;

/** What the library logs from now on until this is closed. Any thread. */
final class RecordedLog implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Logger logger = Logger.getLogger("io.arraywire");
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord entry) {
          records.add(entry);
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  RecordedLog() {
    logger.addHandler(handler);
  }

  /** Waits for messages that begin so; of the tests before there may be others. */
  List<LogRecord> await(String beginning) {
    Awaitility.await().atMost(PATIENCE).until(() -> !beginning(beginning).isEmpty());
    return beginning(beginning);
  }

  private List<LogRecord> beginning(String beginning) {
    return records.stream().filter(each -> each.getMessage().startsWith(beginning)).toList();
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
  }
}
