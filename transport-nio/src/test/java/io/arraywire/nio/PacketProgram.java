package io.arraywire.nio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that carries packets between two TUN devices, and treats them badly on the way: what
 * netem is, for a kernel without it. Takes {@code ARRAYWIRE_PYTHON}, or {@code python3}.
 */
final class PacketProgram implements AutoCloseable {
  private static final String SCRIPT = "bad_link.py";

  private final Process process;
  private final BufferedReader says;

  private PacketProgram(Process process) {
    this.process = process;
    says =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /** The TUN device that takes what came in at a port. */
  static String device(String port) {
    return "from-" + port;
  }

  /**
   * Starts it.
   *
   * @param host what goes before the command
   * @param ports the two ports whose devices it opens
   */
  static PacketProgram start(List<String> host, List<String> ports, BadLink bad)
      throws IOException {
    List<String> command = new ArrayList<>(host);
    command.add(System.getenv().getOrDefault("ARRAYWIRE_PYTHON", "python3"));
    command.addAll(List.of("-c", script()));
    ports.forEach(port -> command.add(device(port)));
    command.addAll(bad.arguments());
    PacketProgram program =
        new PacketProgram(
            new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    String first = program.says.readLine();
    if (!"ready".equals(first)) {
      program.process.destroyForcibly();
      throw new IOException("the program that carries packets does not (said=" + first + ")");
    }
    return program;
  }

  private static String script() throws IOException {
    try (InputStream in = PacketProgram.class.getResourceAsStream(SCRIPT)) {
      if (in == null) {
        throw new AssertionError("no such script: " + SCRIPT);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Ends it, and prints what it did. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      System.out.println("packets: " + says.readLine());
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        System.err.println("the program that carries packets does not end");
      }
    } catch (IOException e) {
      System.err.println("the program that carries packets died: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.destroyForcibly();
    }
  }
}
