package io.arraywire;

import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * The eight primitive element types an array may have, with the code that names each on the wire.
 *
 * <p>Codes 9 (IEEE half precision carried as {@code short[]}) and 10 (bfloat16 carried as {@code
 * short[]}) are reserved by {@code docs/protocol.md} and not yet assigned a constant.
 *
 * <p>Immutable and safe for use by any thread.
 */
public enum ElementType {
  /** {@code float[]}, 4 bytes per element. */
  FLOAT(1, Float.BYTES, float.class),
  /** {@code int[]}, 4 bytes per element. */
  INT(2, Integer.BYTES, int.class),
  /** {@code double[]}, 8 bytes per element. */
  DOUBLE(3, Double.BYTES, double.class),
  /** {@code long[]}, 8 bytes per element. */
  LONG(4, Long.BYTES, long.class),
  /** {@code short[]}, 2 bytes per element. */
  SHORT(5, Short.BYTES, short.class),
  /** {@code char[]}, 2 bytes per element, an unsigned UTF-16 code unit. */
  CHAR(6, Character.BYTES, char.class),
  /** {@code byte[]}, 1 byte per element. */
  BYTE(7, Byte.BYTES, byte.class),
  /** {@code boolean[]}, 1 byte per element: 0 is false, written as 1 when true. */
  BOOLEAN(8, 1, boolean.class);

  private static final ElementType[] BY_CODE = new ElementType[256];

  static {
    for (ElementType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final int bytes;
  private final Class<?> component;

  ElementType(int code, int bytes, Class<?> component) {
    this.code = code;
    this.bytes = bytes;
    this.component = component;
  }

  /**
   * The code of this type in a frame header.
   *
   * @return the code, 1 to 255
   */
  public int code() {
    return code;
  }

  /**
   * The size of one element in memory and in the raw encodings.
   *
   * @return bytes per element
   */
  public int bytes() {
    return bytes;
  }

  /**
   * The Java name of the element, as it is written in source code.
   *
   * @return for example {@code float}
   */
  public String javaName() {
    return component.getName();
  }

  /**
   * Allocates an array of this type.
   *
   * @param length the number of elements
   * @return a new zeroed array, for example a {@code float[]}
   * @throws NegativeArraySizeException if {@code length} is negative
   */
  public Object newArray(int length) {
    return Array.newInstance(component, length);
  }

  /**
   * The type with a wire code.
   *
   * @param code a code, any value
   * @return the type, or null when the code is not assigned
   */
  public static @Nullable ElementType fromCode(int code) {
    return code < 0 || code > 255 ? null : BY_CODE[code];
  }

  /**
   * The type with a Java name.
   *
   * @param name for example {@code float} or {@code FLOAT}
   * @return the type
   * @throws IllegalArgumentException if no element type has that name
   */
  public static ElementType named(String name) {
    for (ElementType type : values()) {
      if (type.component.getName().equalsIgnoreCase(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "unknown element type",
            "type",
            name,
            "known",
            "float int double long short char byte boolean"));
  }

  /**
   * The element type of a primitive array.
   *
   * @param array any object
   * @return the type of its elements
   * @throws IllegalArgumentException if {@code array} is not a primitive array
   */
  public static ElementType of(Object array) {
    if (array instanceof float[]) {
      return FLOAT;
    } else if (array instanceof int[]) {
      return INT;
    } else if (array instanceof double[]) {
      return DOUBLE;
    } else if (array instanceof long[]) {
      return LONG;
    } else if (array instanceof short[]) {
      return SHORT;
    } else if (array instanceof char[]) {
      return CHAR;
    } else if (array instanceof byte[]) {
      return BYTE;
    } else if (array instanceof boolean[]) {
      return BOOLEAN;
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "not a primitive array such as a float[]", "given", MessageText.kind(array)));
  }
}
