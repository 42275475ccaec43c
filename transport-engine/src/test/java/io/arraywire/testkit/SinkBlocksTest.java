package io.arraywire.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.Connection;
import io.arraywire.Handlers;
import io.arraywire.Listener;
import io.arraywire.SendOptions;
import io.arraywire.TransportOptions;
import io.arraywire.memory.InMemoryTransport;
import io.arraywire.memory.MemoryAddress;
import io.arraywire.source.ArraySink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arrays in blocks, compressed and raw ones in turns, that go to a file. */
class SinkBlocksTest {
  @TempDir Path dir;

  @Test
  void blocksOfBothKindsFillAFile() throws Exception {
    Random random = new Random(5);
    int[] ints = new int[500_003];
    for (int i = 0; i < ints.length; i++) {
      // Stretches that the codec makes smaller, and noise that it does not.
      ints[i] = i / 40_000 % 2 == 0 ? 7 : random.nextInt();
    }
    ByteBuffer expected = ByteBuffer.allocate(4 * ints.length).order(ByteOrder.BIG_ENDIAN);
    expected.asIntBuffer().put(ints);
    TransportOptions options =
        EngineBench.options().codecs(EngineBench.RAW_LE, RunsCodec.CODEC).build();
    Path file = dir.resolve("array.bin");
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> {})
            .withTargets(
                (connection, header) -> ArraySink.file(file, header.type(), ByteOrder.BIG_ENDIAN));
    try (InMemoryTransport transport = InMemoryTransport.create(options);
        Listener listener = transport.listen(MemoryAddress.free(), handlers);
        Connection connection = transport.connect(listener.address())) {
      for (SendOptions each :
          List.of(SendOptions.processed().codec("runs"), SendOptions.processed())) {
        connection.send(ints, each);
        assertThat(Files.readAllBytes(file)).as("%s", each).isEqualTo(expected.array());
        Files.delete(file);
      }
    }
  }
}
