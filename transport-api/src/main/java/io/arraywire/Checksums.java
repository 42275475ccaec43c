package io.arraywire;

/** Whether a side wants a CRC32C over payloads; they are there if either side does. */
public enum Checksums {
  /**
   * Wanted where bytes leave the host: TCP's own sum of 16 bits misses some of what a network
   * damages. Over loopback and Unix domain sockets the kernel copies from memory to memory. A
   * checksum guards nothing there, and costs a pass over the bytes on each side.
   */
  ACROSS_HOSTS,
  /** Wanted everywhere: also where a proxy or a tunnel of unknown quality stands on this host. */
  WANTED,
  /** Not wanted: the network already protects the bytes. */
  UNWANTED;

  /**
   * Checksums for every peer or for none, whether it is on this host or another.
   *
   * @param wanted whether they are wanted
   * @return {@link #WANTED} or {@link #UNWANTED}
   */
  public static Checksums of(boolean wanted) {
    return wanted ? WANTED : UNWANTED;
  }
}
