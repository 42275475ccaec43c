package io.arraywire.examples.npy;

import io.arraywire.ElementType;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A NumPy type that a primitive Java array can hold bit for bit.
 *
 * <table>
 * <caption>What becomes what</caption>
 * <tr><th>NumPy</th><th>Java</th><th>why</th></tr>
 * <tr><td>{@code f4}, {@code f8}</td><td>{@code float}, {@code double}</td>
 *     <td>the same IEEE 754 formats</td></tr>
 * <tr><td>{@code i1}, {@code i2}, {@code i4}, {@code i8}</td>
 *     <td>{@code byte}, {@code short}, {@code int}, {@code long}</td>
 *     <td>the same two's complement</td></tr>
 * <tr><td>{@code u2}</td><td>{@code char}</td>
 *     <td>Java's one unsigned type: every value is kept</td></tr>
 * <tr><td>{@code u1}</td><td>{@code byte}</td>
 *     <td>the same bits; values above 127 read as negative in Java, as everywhere in Java where
 *     bytes are meant ({@link Byte#toUnsignedInt})</td></tr>
 * <tr><td>{@code b1}</td><td>{@code boolean}</td>
 *     <td>one byte each; any byte but 0 is true, and is written as 1</td></tr>
 * </table>
 *
 * <p>Refused, because no element type holds them without changing a value's meaning: {@code u4} and
 * {@code u8} (half of their values would turn negative without anybody having asked for it), {@code
 * f2}, complex numbers, strings, dates, objects (which would need unpickling, that is running the
 * file) and structured types.
 *
 * @param descr the type as NumPy writes it, for example {@code <f4}
 * @param type the Java element type
 * @param order the byte order of the elements in the file
 */
public record NpyDtype(String descr, ElementType type, ByteOrder order) {

  /** Checks its parts. */
  public NpyDtype {
    Objects.requireNonNull(descr, "descr");
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(order, "order");
  }

  /**
   * The type in which arrays of an element type are written: little-endian, and {@code |i1} for
   * {@code byte}.
   *
   * @param type an element type
   * @return the NumPy type
   */
  public static NpyDtype of(ElementType type) {
    String descr =
        switch (type) {
          case FLOAT -> "<f4";
          case INT -> "<i4";
          case DOUBLE -> "<f8";
          case LONG -> "<i8";
          case SHORT -> "<i2";
          case CHAR -> "<u2";
          case BYTE -> "|i1";
          case BOOLEAN -> "|b1";
        };
    return new NpyDtype(descr, type, ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The type in which arrays of an element type are written in a byte order.
   *
   * @param type an element type
   * @param order the byte order; without effect on elements of one byte
   * @return the NumPy type
   */
  public static NpyDtype of(ElementType type, ByteOrder order) {
    NpyDtype little = of(type);
    return order == ByteOrder.LITTLE_ENDIAN || type.bytes() == 1
        ? little
        : new NpyDtype(little.descr.replace('<', '>'), type, order);
  }

  /**
   * The type with a NumPy name.
   *
   * @param descr as it stands in a file, for example {@code >i4}
   * @return the type, or null if it is not one that a primitive Java array can hold
   */
  public static @Nullable NpyDtype parse(String descr) {
    if (descr.length() != 3) {
      return null;
    }
    ElementType type =
        switch (descr.substring(1)) {
          case "f4" -> ElementType.FLOAT;
          case "i4" -> ElementType.INT;
          case "f8" -> ElementType.DOUBLE;
          case "i8" -> ElementType.LONG;
          case "i2" -> ElementType.SHORT;
          case "u2" -> ElementType.CHAR;
          case "i1", "u1" -> ElementType.BYTE;
          case "b1" -> ElementType.BOOLEAN;
          default -> null;
        };
    if (type == null) {
      return null;
    }
    return switch (descr.charAt(0)) {
      case '<' -> new NpyDtype(descr, type, ByteOrder.LITTLE_ENDIAN);
      case '>' -> new NpyDtype(descr, type, ByteOrder.BIG_ENDIAN);
      // "No byte order": only what has one byte per element.
      case '|' -> type.bytes() == 1 ? new NpyDtype(descr, type, ByteOrder.LITTLE_ENDIAN) : null;
      default -> null;
    };
  }
}
