package io.arraywire.examples.npy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How to save an array of a type that no primitive Java array holds so that no value is lost. Every
 * piece of advice is an expression of NumPy; {@code NpyAdviceTest} runs each.
 */
final class NpyAdvice {
  /** Byte order, kind with size, and the unit of a time. */
  private static final Pattern TYPE = Pattern.compile("([<>=|]?)([a-zA-Z]\\d*)(?:\\[.*])?");

  private static final String BYTES = "np.ascontiguousarray(a).view('u1')";

  private NpyAdvice() {}

  /**
   * What to do instead.
   *
   * @param descr the type as it stands in a file, for example {@code <c8}
   * @return a clause that begins with a call of {@code np.save}
   */
  static String forType(String descr) {
    Matcher parts = TYPE.matcher(descr);
    if (!parts.matches()) {
      return save(BYTES) + " keeps every byte";
    }
    String order = parts.group(1).equals(">") ? ">" : "<";
    String integers = "a.view('" + order + "i";
    return switch (parts.group(2)) {
      case "f12", "f16" -> save(BYTES) + " keeps every byte, a.astype('<f8') rounds";
      case "c8", "c16" ->
          save(
                  "np.ascontiguousarray(a).view('"
                      + order
                      + (parts.group(2).equals("c8") ? "f4')" : "f8')"))
              + " keeps real and imaginary parts, in turns";
      case "M8", "m8" -> save(integers + "8')") + " keeps the ticks; note the unit";
      case "O" ->
          save("np.array(a.tolist(), '<f8')") + " keeps the values if they are Python floats";
      default ->
          parts.group(2).startsWith("U")
              ? save("np.ascontiguousarray(a).view('" + order + "i4')") + " keeps the code points"
              : save(BYTES) + " keeps every byte";
    };
  }

  private static String save(String expression) {
    return "np.save(file, " + expression + ")";
  }
}
