package io.arraywire.stream;

import java.util.List;
import java.util.ResourceBundle;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** What is logged, at level INFO and above, while it is open. */
final class Logged implements AutoCloseable {
  private static final List<Logged> OPEN = new CopyOnWriteArrayList<>();

  private final List<String> messages = new CopyOnWriteArrayList<>();

  private Logged() {}

  static Logged begin() {
    Logged logged = new Logged();
    OPEN.add(logged);
    return logged;
  }

  List<String> messages(String start) {
    return messages.stream().filter(message -> message.startsWith(start)).toList();
  }

  @Override
  public void close() {
    OPEN.remove(this);
  }

  /** Found by the JDK as a service, so that tests need no module for logging. */
  public static final class Finder extends System.LoggerFinder {

    /** For the service loader. */
    public Finder() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
      return new Recorder(name);
    }
  }

  private record Recorder(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.getSeverity() >= Level.INFO.getSeverity();
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable thrown) {
      if (isLoggable(level) && name.startsWith("io.arraywire")) {
        OPEN.forEach(logged -> logged.messages.add(text));
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, Object... parameters) {
      log(level, bundle, format, (Throwable) null);
    }
  }
}
