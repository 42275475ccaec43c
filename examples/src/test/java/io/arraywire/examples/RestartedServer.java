package io.arraywire.examples;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.message.Message;
import io.arraywire.nio.NioTransport;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** A server that notes every array that it was given, and answers requests, until it is ended. */
final class RestartedServer {
  private RestartedServer() {}

  /**
   * Serves.
   *
   * @param arguments where to listen, and the file of what was delivered: the tag of each array, in
   *     8 bytes. The system has them when the handler returns, so they outlive a SIGKILL.
   */
  public static void main(String[] arguments) throws Exception {
    warmUp();
    try (FileChannel delivered =
            FileChannel.open(
                Path.of(arguments[1]), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        Listener server =
            NioTransport.listen(
                arguments[0],
                Handlers.answering(request -> Message.of(request.slice()))
                    .withArrays((from, array) -> {
                      ByteBuffer tag = ByteBuffer.allocate(Long.BYTES).putLong(0, array.tag());
                      while (tag.hasRemaining()) {
                        delivered.write(tag);
                      }
                    }))) {
      server.closeOnShutdown();
      System.out.println("listening " + System.currentTimeMillis() + " " + server.address());
      server.awaitClosed();
    }
  }

  /**
   * A service loads its classes before it listens, or its first callers wait for them: here by a
   * request to itself.
   */
  private static void warmUp() throws Exception {
    Handlers echo =
        Handlers.answering(request -> Message.of(request.slice())).withArrays((from, array) -> {});
    try (Listener self = NioTransport.listen("127.0.0.1:0", echo);
        Connection client = NioTransport.connect(self.address())) {
      client.call(new int[1], Duration.ofMinutes(1));
      client.send(new float[64], SendOptions.processed());
    }
  }
}
