package io.arraywire.benchmarks.bench;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that receives and one that sends, connected.
 *
 * @param receiver serves {@code listen WORDS}, which answers with a port
 * @param sender serves {@code connect WORDS PORT}
 */
record TwoJvms(ChildJvm receiver, ChildJvm sender) implements AutoCloseable {

  /**
   * Starts both and connects them.
   *
   * @param words what both are told, first of all the participant's name
   */
  static TwoJvms start(
      Class<?> receiverMain,
      Class<?> senderMain,
      BenchSettings settings,
      @Nullable PrintStream log,
      Object... words)
      throws IOException {
    ChildJvm receiver = child(words[0] + " receiver", receiverMain, settings, log);
    ChildJvm sender = null;
    try {
      sender = child(words[0] + " sender", senderMain, settings, log);
      String port = receiver.ask(command("listen", words))[0];
      sender.ask(command("connect", words, port));
      return new TwoJvms(receiver, sender);
    } catch (IOException | RuntimeException | Error e) {
      receiver.close();
      if (sender != null) {
        sender.close();
      }
      throw e;
    }
  }

  private static Object[] command(String name, Object[] words, Object... more) {
    return Stream.of(Stream.of(name), Arrays.stream(words), Arrays.stream(more))
        .flatMap(each -> each)
        .toArray();
  }

  private static ChildJvm child(
      String name, Class<?> main, BenchSettings settings, @Nullable PrintStream log)
      throws IOException {
    return ChildJvm.start(name, main, settings.heapBytes(), settings.jvmOptions(), log);
  }

  @Override
  public void close() {
    sender.close();
    receiver.close();
  }
}
