package io.arraywire.memory;

import java.net.SocketAddress;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The address of an in-memory listener: a name, known in this JVM only.
 *
 * <p>Immutable and safe for use by any thread.
 */
public final class MemoryAddress extends SocketAddress {
  private static final long serialVersionUID = 1;
  private static final AtomicLong FREE = new AtomicLong();

  private final String name;

  private MemoryAddress(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  /**
   * The address of a name.
   *
   * @param name any text
   * @return the address
   */
  public static MemoryAddress of(String name) {
    return new MemoryAddress(name);
  }

  /**
   * An address that nobody has used.
   *
   * @return a new address
   */
  public static MemoryAddress free() {
    return new MemoryAddress("free-" + FREE.incrementAndGet());
  }

  /**
   * The name.
   *
   * @return the text that it was made with
   */
  public String name() {
    return name;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof MemoryAddress that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return "memory:" + name;
  }
}
