package io.arraywire.testkit;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * The loggers of these tests: they print what is worth a warning, and give every message to the
 * {@link RecordedLog}s that are open. The service's file names it.
 */
public final class RecordingLoggers extends System.LoggerFinder {
  /** For the service loader. */
  public RecordingLoggers() {}

  @Override
  public Logger getLogger(String name, Module module) {
    return new Recording(name);
  }

  private record Recording(String name) implements Logger {
    @Override
    public String getName() {
      return name;
    }

    /** Not while a test has switched off the logger of that name of java.util.logging. */
    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.INFO) >= 0
          && java.util.logging.Logger.getLogger(name).getLevel() != java.util.logging.Level.OFF;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      if (!isLoggable(level)) {
        return;
      }
      boolean warning = level.compareTo(Level.WARNING) >= 0;
      RecordedLog.publish(String.valueOf(message), warning);
      if (warning) {
        System.err.println(level + " " + name + ": " + message);
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      boolean plain = format == null || parameters == null || parameters.length == 0;
      log(
          level,
          bundle,
          plain ? format : MessageFormat.format(format, parameters),
          (Throwable) null);
    }
  }
}
