package io.arraywire.engine;

import java.time.ZoneId;
import java.util.ResourceBundle;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A logger that never throws. What is short (descriptors, memory, the stack) may be short for
 * logging, too. A message that is lost must not end an event loop, keep a lock or leave a stage
 * incomplete. The texts of failures are logged as {@link LoggedFailure} has them. Any thread.
 *
 * <p>The system's logger behind it is looked up with the first message, and again with the next one
 * if that failed.
 */
public final class GuardedLogger implements System.Logger {
  private final String name;
  private volatile System.@Nullable Logger found;

  private GuardedLogger(String name) {
    this.name = name;
  }

  /**
   * Makes a logger; reads and opens nothing yet.
   *
   * @param name the name of the system's logger behind it
   * @return the logger
   */
  public static GuardedLogger of(String name) {
    return new GuardedLogger(name);
  }

  private System.Logger logger() {
    System.Logger logger = found;
    if (logger == null) {
      logger = System.getLogger(name);
      found = logger;
    }
    return logger;
  }

  /**
   * Has the JDK read what its first message needs, while there are file descriptors: the
   * configuration, and the time zones that a message's date takes. If there are none then, its
   * classes fail for as long as the process lives.
   */
  public void touch() {
    var unused = isLoggable(Level.WARNING) && logged(GuardedLogger::readTimeZones);
  }

  private static void readTimeZones() {
    // For its effect.
    var unused = ZoneId.systemDefault().getRules();
  }

  @Override
  public String getName() {
    return name;
  }

  /** False also where the system's logger fails. */
  @Override
  public boolean isLoggable(Level level) {
    try {
      return logger().isLoggable(level);
    } catch (Throwable failure) {
      return false;
    }
  }

  /**
   * Logs a text.
   *
   * @param level its level
   * @param text the text
   * @return whether nothing failed
   */
  public boolean logged(Level level, String text) {
    return logged(() -> logger().log(level, text));
  }

  private static boolean logged(Runnable message) {
    try {
      message.run();
      return true;
    } catch (Throwable failure) {
      // There is nobody left to tell.
      return false;
    }
  }

  @Override
  public void log(Level level, @Nullable String text) {
    var unused = logged(() -> logger().log(level, text));
  }

  @Override
  public void log(Level level, Supplier<@Nullable String> text) {
    var unused = logged(() -> logger().log(level, text));
  }

  @Override
  public void log(Level level, @Nullable String text, @Nullable Throwable thrown) {
    var unused = logged(() -> logger().log(level, text, LoggedFailure.of(thrown)));
  }

  @Override
  public void log(Level level, Supplier<@Nullable String> text, @Nullable Throwable thrown) {
    var unused = logged(() -> logger().log(level, text, LoggedFailure.of(thrown)));
  }

  @Override
  public void log(
      Level level,
      @Nullable ResourceBundle bundle,
      @Nullable String text,
      @Nullable Throwable thrown) {
    var unused = logged(() -> logger().log(level, bundle, text, LoggedFailure.of(thrown)));
  }

  @Override
  public void log(
      Level level, @Nullable ResourceBundle bundle, @Nullable String format, Object... values) {
    var unused = logged(() -> logger().log(level, bundle, format, values));
  }
}
