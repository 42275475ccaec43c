package io.arraywire.benchmarks.network;

import io.arraywire.benchmarks.TwoJvms;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** This machine, where both meet over the loopback interface. */
public record LoopbackHosts() implements JvmHosts {
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
        receiverMain,
        senderMain,
        heapBytes,
        jvmOptions,
        log,
        (receiver, sender) -> meeting.connect(receiver, sender, port -> port));
  }

  @Override
  public @Nullable NetworkReport report() {
    return null;
  }
}
