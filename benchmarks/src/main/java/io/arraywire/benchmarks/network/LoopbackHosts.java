package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.TwoJvms;
import io.arraywire.examples.process.ChildJvm;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * This machine, where both meet over the loopback interface.
 *
 * @param classPath the class path of the JVMs
 */
public record LoopbackHosts(String classPath) implements JvmHosts {

  /** For JVMs that run the build that this one runs. */
  public LoopbackHosts() {
    this(ChildJvm.ownClassPath());
  }

  @Override
  public TwoJvms start(
      String name,
      Class<?> receiverMain,
      Class<?> senderMain,
      long heapBytes,
      List<String> jvmOptions,
      @Nullable PrintStream log,
      Meeting meeting)
      throws IOException {
    return TwoJvms.start(
        name,
        classPath,
        receiverMain,
        senderMain,
        heapBytes,
        jvmOptions,
        log,
        (receiver, sender) -> meeting.connect(receiver, sender, port -> port));
  }

  @Override
  public JvmHosts running(Path archive) {
    return new LoopbackHosts(archive.toString());
  }

  @Override
  public @Nullable NetworkReport report() {
    return null;
  }
}
