package io.arraywire;

import io.arraywire.spi.MessageText;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.CharBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The element types an array may have, with the code that names each on the wire. They are the
 * eight primitive types of Java, and six that Java has no type for.
 *
 * <p>Elements of the six lie bit for bit in an array of their {@linkplain #carrier() carrier}: a
 * {@code short[]} may hold {@link #FP16} values. {@link ArraySlice#as} says so of a slice:
 *
 * <pre>{@code
 * connection.send(ArraySlice.of(weights).as(ElementType.BF16)); // weights is a short[]
 * }</pre>
 *
 * <p>Elements travel as they are; no type is ever converted into another. An array arrives as the
 * type that it was sent as, and only memory of the same type can receive it.
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
  BOOLEAN(8, 1, boolean.class),
  /** IEEE 754 binary16 in a {@code short[]}, 2 bytes per element. */
  FP16(9, SHORT, "fp16"),
  /** bfloat16, the upper half of a {@code float}, in a {@code short[]}, 2 bytes per element. */
  BF16(10, SHORT, "bf16"),
  /** Unsigned bytes in a {@code byte[]}; see {@link Byte#toUnsignedInt}. */
  UINT8(11, BYTE, "uint8"),
  /** Unsigned numbers of 2 bytes in a {@code short[]}; see {@link Short#toUnsignedInt}. */
  UINT16(12, SHORT, "uint16"),
  /** Unsigned numbers of 4 bytes in an {@code int[]}; see {@link Integer#toUnsignedLong}. */
  UINT32(13, INT, "uint32"),
  /** Unsigned numbers of 8 bytes in a {@code long[]}; see {@link Long#toUnsignedString(long)}. */
  UINT64(14, LONG, "uint64");

  private static final ElementType[] BY_CODE = new ElementType[256];

  static {
    for (ElementType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;
  private final int bytes;
  private final Class<?> component;
  private final String typeName;
  private final ElementType carrier;

  ElementType(int code, int bytes, Class<?> component) {
    this.code = code;
    this.bytes = bytes;
    this.component = component;
    this.typeName = component.getName();
    this.carrier = this;
  }

  ElementType(int code, ElementType carrier, String typeName) {
    this.code = code;
    this.bytes = carrier.bytes;
    this.component = carrier.component;
    this.typeName = typeName;
    this.carrier = carrier;
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
   * The name of the type in texts and options: for a primitive type that of Java.
   *
   * @return for example {@code float} or {@code fp16}
   */
  public String typeName() {
    return typeName;
  }

  /**
   * The primitive type whose arrays hold elements of this type.
   *
   * @return this type if it is a primitive one, else for example {@link #SHORT} for {@link #FP16}
   */
  public ElementType carrier() {
    return carrier;
  }

  /**
   * Whether it is one of Java's primitive types.
   *
   * @return false if its elements lie in arrays of another type
   */
  public boolean isPrimitive() {
    return carrier == this;
  }

  /**
   * Allocates an array that holds elements of this type.
   *
   * @param length the number of elements
   * @return a new zeroed array of the {@linkplain #carrier() carrier}, for example a {@code
   *     float[]}
   * @throws NegativeArraySizeException if {@code length} is negative
   */
  public Object newArray(int length) {
    // Not by reflection: the compiler of the JVM knows the size of an element here.
    return switch (carrier) {
      case FLOAT -> new float[length];
      case INT -> new int[length];
      case DOUBLE -> new double[length];
      case LONG -> new long[length];
      case SHORT -> new short[length];
      case CHAR -> new char[length];
      case BYTE -> new byte[length];
      case BOOLEAN -> new boolean[length];
      default -> Array.newInstance(component, length);
    };
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
   * The type with a name.
   *
   * @param name for example {@code float}, {@code FLOAT} or {@code fp16}
   * @return the type
   * @throws IllegalArgumentException if no element type has that name
   */
  public static ElementType named(String name) {
    for (ElementType type : values()) {
      if (type.typeName.equalsIgnoreCase(name)) {
        return type;
      }
    }
    throw new IllegalArgumentException(
        MessageText.brief(
            "unknown element type",
            "type",
            name,
            "known",
            Arrays.stream(values()).map(ElementType::typeName).collect(Collectors.joining(" "))));
  }

  /**
   * The element type of a primitive array. Nothing about a {@code short[]} says that it holds half
   * floats: the result is always one of the eight primitive types.
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

  /**
   * The element type of a typed buffer.
   *
   * @param buffer any buffer
   * @return the type of its elements, {@link #BYTE} for a {@code ByteBuffer}
   */
  public static ElementType ofBuffer(Buffer buffer) {
    if (buffer instanceof FloatBuffer) {
      return FLOAT;
    } else if (buffer instanceof IntBuffer) {
      return INT;
    } else if (buffer instanceof DoubleBuffer) {
      return DOUBLE;
    } else if (buffer instanceof LongBuffer) {
      return LONG;
    } else if (buffer instanceof ShortBuffer) {
      return SHORT;
    } else if (buffer instanceof CharBuffer) {
      return CHAR;
    }
    Objects.requireNonNull(buffer, "buffer");
    return BYTE;
  }
}
