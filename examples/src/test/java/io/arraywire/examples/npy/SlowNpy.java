package io.arraywire.examples.npy;

import java.math.BigInteger;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A second reader of {@code .npy} files, by regular expressions and {@link BigInteger}. It shares
 * nothing with {@link NpyReader}, and is as slow as it is short.
 */
final class SlowNpy {
  private static final String B = "[ \\t\\r\\n]*";
  private static final String TUPLE =
      "\\("
          + B
          + "(?:\\d+L?"
          + B
          + ","
          + B
          + "(?:\\d+L?"
          + B
          + "(?:,"
          + B
          + "\\d+L?"
          + B
          + ")*,?"
          + B
          + ")?)?\\)";
  private static final Pattern ITEM =
      Pattern.compile(
          B
              + "(?:'(\\w+)'|\"(\\w+)\")"
              + B
              + ":"
              + B
              + "(?:'([^'\\\\]*)'|\"([^\"\\\\]*)\"|(True|False)|("
              + TUPLE
              + "))"
              + B);
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private static final Map<String, Integer> SIZES =
      Map.ofEntries(
          Map.entry("f4", 4),
          Map.entry("f8", 8),
          Map.entry("i1", 1),
          Map.entry("i2", 2),
          Map.entry("i4", 4),
          Map.entry("i8", 8),
          Map.entry("u1", 1),
          Map.entry("u2", 2),
          Map.entry("u4", 4),
          Map.entry("u8", 8),
          Map.entry("f2", 2),
          Map.entry("V2", 2),
          Map.entry("b1", 1));

  private SlowNpy() {}

  /** What a file holds: each element as its bits, in C order. */
  record Verdict(String descr, List<Long> shape, long[] bits) {}

  /** Returns null for a file that is to be refused. */
  static @Nullable Verdict read(byte[] file) {
    int major = file.length < 10 ? 0 : file[6];
    int prefix = major == 1 ? 10 : 12;
    byte[] magic = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};
    if (major < 1
        || major > 3
        || file[7] != 0
        || file.length < prefix
        || !Arrays.equals(Arrays.copyOf(file, 6), magic)) {
      return null;
    }
    long length = number(file, 8, prefix - 8, false);
    if (length > 1 << 16 || length > file.length - prefix) {
      return null;
    }
    Charset charset = major == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
    return read(file, prefix + (int) length, new String(file, prefix, (int) length, charset));
  }

  private static @Nullable Verdict read(byte[] file, int first, String header) {
    Matcher braces = Pattern.compile(B + "\\{(.*)\\}" + B, Pattern.DOTALL).matcher(header);
    if (!braces.matches()) {
      return null;
    }
    String items = braces.group(1);
    String descr = null;
    String fortran = null;
    String shape = null;
    Set<String> keys = new HashSet<>();
    Matcher item = ITEM.matcher(items);
    int at = 0;
    while (at < items.length() && item.find(at) && item.start() == at) {
      String key = item.group(1) == null ? item.group(2) : item.group(1);
      if (!keys.add(key)) {
        return null;
      }
      String word = item.group(3) == null ? item.group(4) : item.group(3);
      switch (key) {
        case "descr" -> descr = word;
        case "fortran_order" -> fortran = item.group(5);
        case "shape" -> shape = item.group(6);
        default -> {
          return null;
        }
      }
      at = item.end();
      if (at < items.length()) {
        if (items.charAt(at) != ',') {
          return null;
        }
        at++;
        if (items.substring(at).matches(B)) {
          at = items.length();
        }
      }
    }
    return at < items.length() || descr == null || fortran == null || shape == null
        ? null
        : read(file, first, descr, fortran.equals("True"), shape);
  }

  private static @Nullable Verdict read(
      byte[] file, int first, String descr, boolean fortran, String tuple) {
    Integer size = descr.length() == 3 ? SIZES.get(descr.substring(1)) : null;
    boolean ordered = descr.startsWith("<") || descr.startsWith(">");
    if (size == null
        || !(ordered || (descr.startsWith("|") && (size == 1 || descr.equals("|V2"))))) {
      return null;
    }
    List<BigInteger> shape = new ArrayList<>();
    Matcher numbers = NUMBER.matcher(tuple);
    while (numbers.find()) {
      shape.add(new BigInteger(numbers.group()));
    }
    BigInteger count = shape.stream().reduce(BigInteger.ONE, BigInteger::multiply);
    boolean tooLarge = shape.stream().anyMatch(each -> each.bitLength() > 63);
    BigInteger bytes = count.multiply(BigInteger.valueOf(size)).add(BigInteger.valueOf(first));
    if (shape.size() > 32 || tooLarge || !bytes.equals(BigInteger.valueOf(file.length))) {
      return null;
    }
    List<Long> dimensions = shape.stream().map(BigInteger::longValueExact).toList();
    long[] bits = new long[count.intValueExact()];
    boolean big = descr.startsWith(">");
    for (int i = 0; i < bits.length; i++) {
      long place = fortran ? inFile(i, dimensions) : i;
      bits[i] = number(file, first + (int) place * size, size, big);
      if (descr.endsWith("b1")) {
        bits[i] = bits[i] == 0 ? 0 : 1;
      }
    }
    return new Verdict(descr, dimensions, bits);
  }

  /** Where in a file of Fortran order an element is that has a place in C order. */
  private static long inFile(long place, List<Long> shape) {
    long[] index = new long[shape.size()];
    long left = place;
    for (int i = index.length - 1; i >= 0; i--) {
      index[i] = left % shape.get(i);
      left /= shape.get(i);
    }
    long there = 0;
    for (int i = index.length - 1; i >= 0; i--) {
      there = there * shape.get(i) + index[i];
    }
    return there;
  }

  private static long number(byte[] bytes, int at, int size, boolean big) {
    long number = 0;
    for (int i = 0; i < size; i++) {
      number |= (bytes[at + i] & 0xffL) << 8 * (big ? size - 1 - i : i);
    }
    return number;
  }

  /** The bits of an element of a Java array, as an unsigned number. */
  static long bits(Object array, int i) {
    if (array instanceof float[] floats) {
      return Float.floatToRawIntBits(floats[i]) & 0xffffffffL;
    } else if (array instanceof double[] doubles) {
      return Double.doubleToRawLongBits(doubles[i]);
    } else if (array instanceof int[] ints) {
      return ints[i] & 0xffffffffL;
    } else if (array instanceof short[] shorts) {
      return shorts[i] & 0xffffL;
    } else if (array instanceof byte[] bytes) {
      return bytes[i] & 0xffL;
    } else if (array instanceof boolean[] booleans) {
      return booleans[i] ? 1 : 0;
    }
    return ((long[]) array)[i];
  }
}
