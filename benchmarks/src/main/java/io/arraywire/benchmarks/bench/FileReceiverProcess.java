package io.arraywire.benchmarks.bench;

import io.arraywire.ArrayHandler;
import io.arraywire.ArrayHeader;
import io.arraywire.ArraySlice;
import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.ReceivedArray;
import io.arraywire.TargetHandler;
import io.arraywire.TransportOptions;
import io.arraywire.examples.file.FileReceiver;
import io.arraywire.examples.file.ReceiveTechnique;
import io.arraywire.examples.file.ReceivedFile;
import io.arraywire.examples.file.TargetFile;
import io.arraywire.examples.npy.NpyAttributes;
import io.arraywire.examples.npy.NpyWriter;
import io.arraywire.examples.process.CommandLoop;
import io.arraywire.nio.NioTransport;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * The child process that receives files.
 *
 * <pre>
 * arrays COUNT [FILE]      has the library receive into one float[], and write that; answers with the port
 * into TECHNIQUE FILE      receives one array into a file; answers with the port
 * stored                   waits until it has come
 * spoil                    overwrites the array
 * checksum                 answers with that of the array
 * cpu                      answers with the CPU time
 * </pre>
 */
final class FileReceiverProcess implements CommandLoop.Commands {
  private float[] array = {};
  private @Nullable FutureTask<ReceivedFile> reception;

  FileReceiverProcess() {}

  /**
   * Serves until standard input ends.
   *
   * @param arguments none
   * @throws Exception if standard input fails
   */
  public static void main(String[] arguments) throws Exception {
    new CommandLoop().serve(new FileReceiverProcess());
  }

  @Override
  public String[] run(String[] words) throws Exception {
    return switch (words[0]) {
      case "arrays" -> {
        array = new float[Integer.parseInt(words[1])];
        yield arrays(words.length > 2 ? Path.of(words[2]) : null);
      }
      case "into" ->
          into(ReceiveTechnique.valueOf(words[1].toUpperCase(Locale.ROOT)), Path.of(words[2]));
      case "stored" -> stored();
      case "spoil" -> {
        Elements.spoil(array);
        yield new String[0];
      }
      case "checksum" -> new String[] {Elements.checksum(array, array.length)};
      case "cpu" -> new String[] {Long.toString(Expense.now().cpuNanos())};
      default -> throw new IllegalArgumentException("unknown command (command=" + words[0] + ")");
    };
  }

  private String[] arrays(@Nullable Path file) throws IOException {
    TransportOptions options = TransportOptions.builder().maxArrayBytes(4L << 30).build();
    // Lives as long as the process.
    Handler handler = new Handler(array, file);
    Listener listener =
        NioTransport.create(options)
            .listen(Loopback.TCP.free(), Handlers.ofArrays(handler).withTargets(handler));
    return port(listener.address());
  }

  private static String[] port(SocketAddress address) {
    return new String[] {Integer.toString(Loopback.TCP.number(address))};
  }

  private String[] into(ReceiveTechnique technique, Path file) throws IOException {
    Files.deleteIfExists(file);
    TargetFile target = TargetFile.of(file);
    FileReceiver receiver =
        FileReceiver.listen(
            Loopback.TCP.free(), target, technique, Long.MAX_VALUE, (peer, e) -> {});
    FutureTask<ReceivedFile> task =
        new FutureTask<>(() -> {
          try (target;
              receiver) {
            return receiver.await();
          }
        });
    reception = task;
    new Thread(task, "receiver").start();
    return port(receiver.address());
  }

  private String[] stored() throws Exception {
    FutureTask<ReceivedFile> task = reception;
    if (task != null) {
      task.get();
    }
    return new String[0];
  }

  /** Puts each array into the same memory and, if there is a file, writes it there. */
  private static final class Handler implements ArrayHandler, TargetHandler {
    private final float[] array;
    private final @Nullable Path file;

    Handler(float[] array, @Nullable Path file) {
      this.array = array;
      this.file = file;
    }

    @Override
    public ArraySlice target(Connection connection, ArrayHeader header) {
      return ArraySlice.of(array, 0, header.count());
    }

    @Override
    public void onArray(Connection connection, ReceivedArray received) throws IOException {
      if (file != null) {
        NpyWriter.write(file, NpyAttributes.header(received.header()), received.slice());
      }
    }
  }
}
