package io.arraywire.examples.npy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Python literal in the header of a {@code .npy} file, for example <code>
 * {'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), }</code>.
 *
 * <p>It knows a dictionary with exactly these three keys, in any order, each once, and nothing else
 * of Python. A header is understood or refused, and never run. NumPy itself demands the same keys
 * and no others.
 */
final class PythonHeaderParser {
  private final Path file;
  private final String text;
  private int at;

  private PythonHeaderParser(Path file, String text) {
    this.file = file;
    this.text = text;
  }

  /**
   * Parses a header.
   *
   * @param file where it comes from, for the error's text
   * @param text the header without the bytes before it
   * @return its values
   * @throws NpyFormatException if it is not such a literal
   */
  static PythonHeader parse(Path file, String text) throws NpyFormatException {
    return new PythonHeaderParser(file, text).dictionary();
  }

  private PythonHeader dictionary() throws NpyFormatException {
    String descr = null;
    Boolean fortranOrder = null;
    List<Long> shape = null;
    expect('{');
    while (!taken('}')) {
      int keyAt = at;
      String key = string();
      expect(':');
      if (key.equals("descr") && descr == null) {
        descr = descr();
      } else if (key.equals("fortran_order") && fortranOrder == null) {
        fortranOrder = bool();
      } else if (key.equals("shape") && shape == null) {
        shape = tuple();
      } else {
        at = keyAt;
        throw wrong("one each of the keys descr, fortran_order and shape");
      }
      if (!taken(',')) {
        expect('}');
        break;
      }
    }
    skipBlanks();
    if (at < text.length()) {
      throw wrong("nothing after the dictionary");
    }
    return new PythonHeader(
        present("descr", descr), present("fortran_order", fortranOrder), present("shape", shape));
  }

  private <T> T present(String key, @Nullable T value) throws NpyFormatException {
    if (value == null) {
      throw wrong("the key " + key);
    }
    return value;
  }

  private String descr() throws NpyFormatException {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == '[') {
      throw new NpyFormatException(
          "the file holds records, which no primitive array can hold; save one field of them, for"
              + " example np.save(file, a['name'])",
          file,
          "descr",
          excerpt(text.substring(at)));
    }
    return string();
  }

  private boolean bool() throws NpyFormatException {
    skipBlanks();
    for (String word : List.of("True", "False")) {
      if (text.startsWith(word, at)) {
        at += word.length();
        return word.equals("True");
      }
    }
    throw wrong("True or False");
  }

  private List<Long> tuple() throws NpyFormatException {
    List<Long> dimensions = new ArrayList<>();
    expect('(');
    while (!taken(')')) {
      dimensions.add(dimension());
      if (dimensions.size() > NpyHeader.MAX_DIMENSIONS) {
        throw new NpyFormatException(
            "the array has too many dimensions; reshape it",
            file,
            "limit",
            NpyHeader.MAX_DIMENSIONS);
      }
      if (!taken(',')) {
        if (dimensions.size() == 1) {
          throw wrong("a comma: (3,) is a tuple, (3) is not");
        }
        expect(')');
        break;
      }
    }
    return dimensions;
  }

  private long dimension() throws NpyFormatException {
    skipBlanks();
    int start = at;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    if (at == start) {
      throw wrong("a dimension, which is a number that is not negative");
    }
    String digits = text.substring(start, at);
    // Python 2 wrote long integers with an L.
    if (at < text.length() && text.charAt(at) == 'L') {
      at++;
    }
    try {
      return Long.parseLong(digits);
    } catch (NumberFormatException e) {
      at = start;
      throw wrong("a dimension below 2^63");
    }
  }

  private String string() throws NpyFormatException {
    skipBlanks();
    char quote = at < text.length() ? text.charAt(at) : 0;
    if (quote != '\'' && quote != '"') {
      throw wrong("a quoted string");
    }
    int end = text.indexOf(quote, at + 1);
    if (end < 0) {
      throw wrong("the end of a quoted string");
    }
    String value = text.substring(at + 1, end);
    if (value.indexOf('\\') >= 0) {
      throw wrong("a string without escapes");
    }
    at = end + 1;
    return value;
  }

  private void expect(char c) throws NpyFormatException {
    if (!taken(c)) {
      throw wrong("'" + c + "'");
    }
  }

  private boolean taken(char c) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private NpyFormatException wrong(String expected) {
    return new NpyFormatException(
        "the header is not one that NumPy writes; the file is damaged or no .npy file",
        file,
        "expected",
        expected,
        "at",
        at,
        "header",
        excerpt(text));
  }

  /** Never lets a file write control characters, or pages of text, to somebody's terminal. */
  static String excerpt(String text) {
    String head = text.length() <= 120 ? text : text.substring(0, 120) + "...";
    return head.strip().replaceAll("[^\\x20-\\x7e]", "?");
  }
}
