package io.arraywire.examples.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArrayAttributes;
import io.arraywire.ArrayHeader;
import io.arraywire.Connection;
import io.arraywire.ElementType;
import io.arraywire.source.ElementWriter;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A {@link FileReception} between the last element of an array and its handler. */
class FileReceptionTest {
  @TempDir Path dir;

  private static Connection connection() {
    InetSocketAddress address = InetSocketAddress.createUnresolved("peer", 1);
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> 1;
                  case "remoteAddress" -> address;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Nobody waits for the file in vain that is there, and none is there that nobody was told of. */
  @Test
  void aFileHasItsNameWhenItIsReportedAndNotBefore() throws Exception {
    try (TargetFile target = TargetFile.of(dir.resolve("got.npy"));
        FilePeers peers = new FilePeers(Patience.DEFAULT, (peer, why) -> {})) {
      FileReception reception = new FileReception(target, ReceiveTechnique.BUFFER, peers);
      Connection connection = connection();
      ArrayHeader header = new ArrayHeader(ElementType.INT, 1, 1, ArrayAttributes.NONE);
      try (ElementWriter writer =
          reception.target(connection, header).open(1, ByteOrder.LITTLE_ENDIAN)) {
        writer.write(0, 1, ByteBuffer.allocate(4));
        writer.finish();
      }
      assertThat(target.path()).doesNotExist();
      reception.fail(new ClosedChannelException());
      assertThat(reception.result()).isCompletedExceptionally();
      reception.onClosed(connection, null);
    }
    assertThat(dir).isEmptyDirectory();
  }
}
