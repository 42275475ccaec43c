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
 * <tr><td>{@code u1}, {@code u2}, {@code u4}, {@code u8}</td>
 *     <td>{@link ElementType#UINT8} and so on, in {@code byte[]}, {@code short[]}, {@code int[]},
 *     {@code long[]}</td>
 *     <td>the same bits; Java reads them with {@link Byte#toUnsignedInt} and its siblings</td></tr>
 * <tr><td>{@code f2}</td><td>{@link ElementType#FP16} in {@code short[]}</td>
 *     <td>the same bits</td></tr>
 * <tr><td>{@code V2}</td><td>{@link ElementType#BF16} in {@code short[]}</td>
 *     <td>what {@code ml_dtypes} writes for {@code bfloat16}, which NumPy itself does not know</td></tr>
 * <tr><td>{@code b1}</td><td>{@code boolean}</td>
 *     <td>one byte each; any byte but 0 is true, and is written as 1</td></tr>
 * </table>
 *
 * <p>A {@code char[]} is written as {@code u2}, and read as {@link ElementType#UINT16}: a file does
 * not say that its numbers are characters.
 *
 * <p>No element type holds complex numbers, strings, dates, objects and structured types without
 * changing a value's meaning, so they are refused. Objects would also need unpickling, that is
 * running the file.
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
   * The type in which arrays of an element type are written: little-endian, or without an order if
   * an element has one byte.
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
          case FP16 -> "<f2";
          case BF16 -> "<V2";
          case UINT8 -> "|u1";
          case UINT16 -> "<u2";
          case UINT32 -> "<u4";
          case UINT64 -> "<u8";
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
          case "i1" -> ElementType.BYTE;
          case "f2" -> ElementType.FP16;
          case "V2" -> ElementType.BF16;
          case "u1" -> ElementType.UINT8;
          case "u2" -> ElementType.UINT16;
          case "u4" -> ElementType.UINT32;
          case "u8" -> ElementType.UINT64;
          case "b1" -> ElementType.BOOLEAN;
          default -> null;
        };
    if (type == null) {
      return null;
    }
    return switch (descr.charAt(0)) {
      case '<' -> new NpyDtype(descr, type, ByteOrder.LITTLE_ENDIAN);
      case '>' -> new NpyDtype(descr, type, ByteOrder.BIG_ENDIAN);
      // "No byte order": elements of one byte, and BF16, whose order NumPy does not know.
      case '|' ->
          type.bytes() == 1 || type == ElementType.BF16
              ? new NpyDtype(descr, type, ByteOrder.LITTLE_ENDIAN)
              : null;
      default -> null;
    };
  }
}
