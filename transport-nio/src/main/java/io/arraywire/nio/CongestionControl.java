package io.arraywire.nio;

import java.io.IOException;

/** How TCP finds the rate at which a socket sends, by the kernel's names; Linux only. */
interface CongestionControl {
  /** The level of TCP's options, {@code IPPROTO_TCP}. */
  int TCP_LEVEL = 6;

  /** The option. */
  int TCP_CONGESTION = 13;

  /** The name, or as much of it as tells one from another; empty for a socket that is not TCP's. */
  String name() throws IOException;

  /** Has it found in another way. */
  void change(String name) throws IOException;
}
