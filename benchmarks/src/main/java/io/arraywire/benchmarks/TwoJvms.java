package io.arraywire.benchmarks;

import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A JVM that receives and one that sends, connected. For use by one thread.
 *
 * @param receiver the one that receives
 * @param sender the one that sends
 */
public record TwoJvms(ChildJvm receiver, ChildJvm sender) implements AutoCloseable {

  /** How the two of them meet. */
  @FunctionalInterface
  public interface Meeting {
    /**
     * Tells both what they need to connect.
     *
     * @param receiver the one that receives, just started
     * @param sender the one that sends, just started
     * @throws IOException if one of them fails
     */
    void connect(ChildJvm receiver, ChildJvm sender) throws IOException;
  }

  /**
   * Starts both and connects them. If that fails, neither is left.
   *
   * @param name what to call them, before "receiver" and "sender"
   * @param receiverMain the main class of the one that receives
   * @param senderMain the main class of the one that sends
   * @param heapBytes the heap of each
   * @param jvmOptions further options for both
   * @param log where their standard error goes, or null for nowhere
   * @param meeting connects them
   * @return both
   * @throws IOException if one cannot be started, or they do not connect
   */
  public static TwoJvms start(
      String name,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log,
      Meeting meeting)
      throws IOException {
    return start(
        name,
        ChildJvm.ownClassPath(),
        receiverMain,
        senderMain,
        heapBytes,
        jvmOptions,
        log,
        meeting);
  }

  /**
   * Starts both with another class path than this JVM's and connects them. If that fails, neither
   * is left.
   *
   * @param name what to call them, before "receiver" and "sender"
   * @param classPath the class path of both, which has both main classes
   * @param receiverMain the main class of the one that receives
   * @param senderMain the main class of the one that sends
   * @param heapBytes the heap of each
   * @param jvmOptions further options for both
   * @param log where their standard error goes, or null for nowhere
   * @param meeting connects them
   * @return both
   * @throws IOException if one cannot be started, or they do not connect
   */
  public static TwoJvms start(
      String name,
      String classPath,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log,
      Meeting meeting)
      throws IOException {
    ChildJvm receiver =
        ChildJvm.start(name + " receiver", classPath, receiverMain, heapBytes, jvmOptions, log);
    ChildJvm sender = null;
    try {
      sender = ChildJvm.start(name + " sender", classPath, senderMain, heapBytes, jvmOptions, log);
      meeting.connect(receiver, sender);
      return new TwoJvms(receiver, sender);
    } catch (IOException | RuntimeException | Error e) {
      receiver.close();
      if (sender != null) {
        sender.close();
      }
      throw e;
    }
  }

  @Override
  public void close() {
    sender.close();
    receiver.close();
  }
}
