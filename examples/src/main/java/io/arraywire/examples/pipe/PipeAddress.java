package io.arraywire.examples.pipe;

import java.net.SocketAddress;
import java.util.Objects;

/** The name of a listener in this JVM, or of a connection's connecting end. Immutable. */
final class PipeAddress extends SocketAddress {
  private static final long serialVersionUID = 1;

  private final String name;

  PipeAddress(String name) {
    this.name = Objects.requireNonNull(name, "name");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PipeAddress that && name.equals(that.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return "pipe:" + name;
  }
}
