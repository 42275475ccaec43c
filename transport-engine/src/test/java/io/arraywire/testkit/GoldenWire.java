package io.arraywire.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The golden files of the wire; {@code make_wire_golden.py} of the test kit made them. */
final class GoldenWire {
  private GoldenWire() {}

  /** One file of wire version 1. */
  static byte[] bytes(String name) {
    try (InputStream in = GoldenWire.class.getResourceAsStream("golden/wire-v2/" + name + ".bin")) {
      if (in == null) {
        throw new AssertionError("no golden file (name=" + name + ")");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
