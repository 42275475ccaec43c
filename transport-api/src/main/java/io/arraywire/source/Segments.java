package io.arraywire.source;

import io.arraywire.ElementType;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory segments, which JDK 22 brought. This version is for older JDKs, and knows none; {@code
 * src/main/java22} has the other one, of the same shape. Functions, for any thread.
 */
final class Segments {
  private Segments() {}

  /** The bytes of a direct buffer from its position to its limit; null if that cannot be had. */
  static @Nullable ByteBuffer bytes(Buffer direct) {
    return null;
  }

  static ArraySource elements(Object segment, ElementType type, ByteOrder order) {
    Objects.requireNonNull(segment, "segment");
    throw unsupported(type, order);
  }

  /** A segment as a typed buffer. */
  static Buffer buffer(Object segment, ElementType type, ByteOrder order) {
    Objects.requireNonNull(segment, "segment");
    throw unsupported(type, order);
  }

  private static UnsupportedOperationException unsupported(ElementType type, ByteOrder order) {
    return new UnsupportedOperationException(
        "memory segments need JDK 22 or later, to build this library and to run it; use a buffer"
            + " (type="
            + type.typeName()
            + ", order="
            + order
            + ", java.version="
            + System.getProperty("java.version")
            + ")");
  }
}
