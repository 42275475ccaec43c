package io.arraywire.engine;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Numbers for what handlers throw: one for each class of exception and place in the code, so that
 * two bugs have two numbers. A number tells a peer neither class nor place. Any thread.
 */
final class LogNumbers {
  /** What a failure calls its number. */
  static final String FACT = "logNumber";

  /** Classes that a program makes while it runs may bring ever new places; they share a number. */
  private static final int MOST_PLACES = 256;

  /** Stands for the place of an exception that has no stack. */
  private static final StackTraceElement NOWHERE = new StackTraceElement("", "", null, -1);

  /** The API's own package, and those that handlers call into. */
  private static final Pattern LIBRARY =
      Pattern.compile("io\\.arraywire\\.(?:(?:engine|message|source|spi)\\.)?[A-Z]");

  private static final AtomicInteger LAST = new AtomicInteger();

  private static final ClassValue<Map<StackTraceElement, String>> NUMBERS =
      new ClassValue<>() {
        @Override
        protected Map<StackTraceElement, String> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private LogNumbers() {}

  static String of(Throwable thrown) {
    Map<StackTraceElement, String> numbers = NUMBERS.get(thrown.getClass());
    StackTraceElement place = place(thrown);
    if (numbers.size() >= MOST_PLACES && !numbers.containsKey(place)) {
      place = NOWHERE;
    }
    return numbers.computeIfAbsent(place, unused -> String.valueOf(LAST.incrementAndGet()));
  }

  /** The first frame that is neither the JDK's nor this library's: many bugs end in one check. */
  private static StackTraceElement place(Throwable thrown) {
    StackTraceElement[] stack;
    try {
      stack = thrown.getStackTrace();
    } catch (RuntimeException | Error e) { // A user's class.
      return NOWHERE;
    }
    for (StackTraceElement each : stack) {
      String module = each.getModuleName();
      boolean jdk = module != null && (module.startsWith("java.") || module.startsWith("jdk."));
      if (!jdk && !LIBRARY.matcher(each.getClassName()).lookingAt()) {
        return each;
      }
    }
    return stack.length == 0 ? NOWHERE : stack[0];
  }
}
