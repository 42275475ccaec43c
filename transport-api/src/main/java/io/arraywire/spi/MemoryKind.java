package io.arraywire.spi;

/** Where a buffer's bytes lie. */
public enum MemoryKind {
  /** A {@code byte[]}: the JDK copies it once more before it goes to a channel. */
  HEAP,
  /** Memory outside the heap, which the kernel reads and writes in place. */
  DIRECT
}
