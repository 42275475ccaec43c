package io.arraywire.nio;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** Options of a socket that is known by its descriptor, as the C library has them. */
final class SocketOptionCalls {
  private static final MethodHandle GET = find("getsockopt", ValueLayout.ADDRESS);
  private static final MethodHandle SET = find("setsockopt", ValueLayout.JAVA_INT);

  private SocketOptionCalls() {}

  private static MethodHandle find(String name, ValueLayout length) {
    return CLibrary.function(
        name,
        FunctionDescriptor.of(
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT,
            ValueLayout.ADDRESS,
            length));
  }

  /**
   * Reads an option.
   *
   * @param value where it goes, as much as fits
   * @param length where the number of its bytes goes
   * @return whether the descriptor has that option
   */
  static boolean get(
      int descriptor, int level, int option, MemorySegment value, MemorySegment length) {
    length.set(ValueLayout.JAVA_INT, 0, (int) value.byteSize());
    try {
      return (int) GET.invokeExact(descriptor, level, option, value, length) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads an option that is a text; empty if the descriptor does not have it. */
  static String text(int descriptor, int level, int option, int mostBytes) {
    try (Arena arena = Arena.ofConfined()) {
      // One more, which stays 0 and ends it.
      MemorySegment value = arena.allocate(mostBytes + 1L);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      boolean has = get(descriptor, level, option, value.asSlice(0, mostBytes), length);
      return has ? value.getString(0) : "";
    }
  }

  /** Sets an option that is a text; returns whether the kernel took it. */
  static boolean set(int descriptor, int level, int option, String text) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocateFrom(text);
      return (int) SET.invokeExact(descriptor, level, option, value, text.length()) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
