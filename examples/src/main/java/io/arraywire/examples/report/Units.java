package io.arraywire.examples.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes, times and rates in words. K, M and G in sizes are powers of 1024, as memory is counted;
 * MB/s is 10^6 bytes per second, as networks are.
 */
public final class Units {
  /** Of two digits behind the point, less has only one that counts. */
  private static final double LEAST_WITH_TWO_DIGITS = 0.0995;

  private static final Pattern SIZE = Pattern.compile("(\\d{1,15})\\s*([KMG]?)(?:i?B)?");

  private Units() {}

  /**
   * Reads a size.
   *
   * @param text a number of bytes, or of KiB, MiB or GiB, for example {@code 64M}, {@code 64MiB}
   * @return bytes
   * @throws IllegalArgumentException if it is none
   */
  public static long parseBytes(String text) {
    Matcher matcher = SIZE.matcher(text.strip());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "not a size; write bytes or a number with K, M or G, such as 64M (size=" + text + ")");
    }
    int shift =
        switch (matcher.group(2)) {
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> 0;
        };
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw new IllegalArgumentException("size too large (size=" + text + ")");
    }
    return number << shift;
  }

  /**
   * A size for people.
   *
   * @param bytes a size
   * @return for example {@code 64 MiB}
   */
  public static String bytes(long bytes) {
    String[] units = {"bytes", "KiB", "MiB", "GiB"};
    int unit = 0;
    while (unit < 3 && bytes >= 1L << (10 * (unit + 1))) {
      unit++;
    }
    double number = bytes / (double) (1L << (10 * unit));
    String format = number == Math.rint(number) ? "%.0f %s" : "%.1f %s";
    return String.format(Locale.ROOT, format, number, units[unit]);
  }

  /**
   * How often, for people.
   *
   * @param number how often
   * @return {@code once}, or for example {@code 7 times}
   */
  public static String times(long number) {
    return number == 1 ? "once" : number + " times";
  }

  /**
   * A time for people.
   *
   * @param nanos nanoseconds
   * @return for example {@code 12.3 ms}
   */
  public static String time(long nanos) {
    if (nanos < 999_500) {
      return significant(nanos / 1e3) + " us";
    } else if (nanos < 999_500_000) {
      return significant(nanos / 1e6) + " ms";
    }
    return significant(nanos / 1e9) + " s";
  }

  /**
   * A rate.
   *
   * @param bytes bytes moved
   * @param nanos in this time
   * @return MB/s
   */
  public static double megabytesPerSecond(long bytes, long nanos) {
    return (double) bytes / Math.max(1, nanos) * 1e3;
  }

  /**
   * A part of a whole for people.
   *
   * @param part 1 for the whole
   * @return for example {@code 12 %}
   */
  public static String percent(double part) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * part);
  }

  /**
   * A number with three digits that count, or two where it is less than 1.
   *
   * @param number not negative; NaN stands for one that is not known
   * @return for example {@code 0.0012}, {@code 1.23}, {@code 12.3}, {@code 1234} or {@code ?}
   */
  public static String significant(double number) {
    if (Double.isNaN(number)) {
      return "?";
    }
    if (number > 0 && number < LEAST_WITH_TWO_DIGITS) {
      return new BigDecimal(number).round(new MathContext(2)).toPlainString();
    }
    String format = number < 9.995 ? "%.2f" : number < 99.95 ? "%.1f" : "%.0f";
    return String.format(Locale.ROOT, format, number);
  }

  /**
   * A shape as NumPy shows it.
   *
   * @param shape the dimensions
   * @return for example {@code (1797, 64)}
   */
  public static String shape(List<Long> shape) {
    String dimensions = shape.toString();
    return "("
        + dimensions.substring(1, dimensions.length() - 1)
        + (shape.size() == 1 ? ",)" : ")");
  }
}
