package io.arraywire.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What small programs print. */
final class StandardOut {
  private StandardOut() {}

  /** The {@code main} of a program. */
  interface Program {
    void main(String[] arguments) throws Exception;
  }

  /** Runs a program without arguments; the lines that it prints. */
  static List<String> of(Program program) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
    try {
      program.main(new String[0]);
    } finally {
      System.setOut(before);
    }
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }
}
